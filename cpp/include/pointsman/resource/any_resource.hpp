// SPDX-License-Identifier: Apache-2.0
// A resource that is either an arena or an OpenCL queue, for mixed sets.
#pragma once

#include <utility>
#include <variant>

#include "pointsman/fwd.hpp"
#include "pointsman/resource/arena.hpp"
#include "pointsman/resource/reports_exact_times.hpp"
#include "pointsman/submission/variant_waitable.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/queue.hpp"
#endif

namespace pointsman {

/// One of pointsman's own resources; built without OpenCL (`POINTSMAN_WITHOUT_OPENCL`) always an arena.
/// A handle like its alternatives, equal to another that holds the same one. What a submitted function
/// returns may differ by alternative: a `std::variant` of waitables is a waitable itself.
/// **Example**:
///
///     using work = std::variant<pointsman::arena_task<void>, pointsman::opencl::event>;
///     policy.submit([&](pointsman::any_resource& where) {
///         return where.visit(
///             [&](pointsman::arena& a) -> work { return a.run(blur_on_cpu); },
///             [&](pointsman::opencl::queue& q) -> work { return q.enqueue(blur, n, image); });
///     });
class any_resource {
  public:
    any_resource(arena resource) : held_{std::move(resource)} {}
#ifndef POINTSMAN_WITHOUT_OPENCL
    any_resource(opencl::queue resource) : held_{std::move(resource)} {}
#endif

    /// Calls the one of `functions` that fits what is held and gives back what it returns. They
    /// must cover both alternatives and return the same type.
    template <class... Functions>
    decltype(auto) visit(Functions&&... functions) {
        return std::visit(overload<Functions...>{std::forward<Functions>(functions)...}, held_);
    }
    template <class... Functions>
    decltype(auto) visit(Functions&&... functions) const {
        return std::visit(overload<Functions...>{std::forward<Functions>(functions)...}, held_);
    }

    /// The `arena` or `opencl::queue` that is held, or null when it is the other.
    template <class Resource>
    [[nodiscard]] const Resource* get_if() const noexcept {
        return std::get_if<Resource>(&held_);
    }

    /// Blocks until all work on the resource is over.
    /// **Throws**: what the `wait()` of the held resource throws.
    void wait() {
        std::visit([](auto& resource) { resource.wait(); }, held_);
    }

    /// Whether the times of work on the held resource are exact: false for a queue without profiling.
    [[nodiscard]] bool reports_exact_times() const {
        return std::visit([](auto& resource) { return pointsman::reports_exact_times(resource); },
                          held_);
    }

    friend bool operator==(const any_resource&, const any_resource&) = default;

  private:
    template <class... Functions>
    struct overload : Functions... {
        using Functions::operator()...;
    };

#ifndef POINTSMAN_WITHOUT_OPENCL
    std::variant<arena, opencl::queue> held_;
#else
    std::variant<arena> held_;
#endif
};

}  // namespace pointsman
