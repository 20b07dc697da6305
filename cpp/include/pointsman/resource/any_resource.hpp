// SPDX-License-Identifier: Apache-2.0
// A resource of one of several kinds, such as an arena or an OpenCL queue, for mixed sets.
#pragma once

#include <concepts>
#include <exception>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "pointsman/fwd.hpp"
#include "pointsman/info/wait.hpp"
#include "pointsman/resource/after_failure.hpp"
#include "pointsman/resource/arena.hpp"
#include "pointsman/resource/printed_resource.hpp"
#include "pointsman/resource/reports_exact_times.hpp"
#include "pointsman/resource/resource.hpp"
#include "pointsman/submission/variant_waitable.hpp"
#include "pointsman/tuning/domain.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/queue.hpp"
#endif

namespace pointsman {
namespace detail {
/// True if `T`, without const and reference qualifiers, is `Kind` or derives from it.
template <class T, class Kind>
concept resource_of_kind = std::convertible_to<const std::remove_cvref_t<T>*, const Kind*>;
}  // namespace detail

/// A resource of one of `Kinds`, which are distinct types. `any_resource` has the kinds of pointsman: `arena`
/// and, unless built with `POINTSMAN_WITHOUT_OPENCL`, `opencl::queue`.
/// Two objects are equal if they hold equal resources. A submitted function may return a different waitable
/// for each kind, in a `std::variant`, which is a waitable itself.
///
/// A user-defined kind only has to be a `resource`. Its members `wait()`, `reports_exact_times()` and
/// `after_failure(error)`, its `operator==` and `operator<<` and its specialisation of `default_universe` are
/// used if they exist.
/// **Example**:
///
///     using anywhere = pointsman::any_resource_of<pointsman::arena, pointsman::opencl::queue, server>;
///     using work = std::variant<pointsman::arena_task<void>, pointsman::opencl::event, std::future<void>>;
///     policy.submit([&](anywhere& where) {
///         return where.visit(
///             [&](pointsman::arena& a) -> work { return a.run(blur_on_cpu); },
///             [&](pointsman::opencl::queue& q) -> work { return q.enqueue(blur, n, image); },
///             [&](server& s) -> work { return s.blur(image); });
///     });
template <class... Kinds>
class any_resource_of {
    static_assert(sizeof...(Kinds) > 0 && (resource<Kinds> && ...),
                  "the kinds of any_resource_of must be resources: types of copyable objects");

  public:
    template <class Resource>
        requires(detail::resource_of_kind<Resource, Kinds> || ...)
    any_resource_of(Resource&& resource) : held_{std::forward<Resource>(resource)} {}

    /// Calls the function of `functions` that accepts the held resource, and returns its result. The
    /// functions must cover all kinds and return the same type.
    template <class... Functions>
    decltype(auto) visit(Functions&&... functions) {
        return std::visit(overload<Functions...>{std::forward<Functions>(functions)...}, held_);
    }
    template <class... Functions>
    decltype(auto) visit(Functions&&... functions) const {
        return std::visit(overload<Functions...>{std::forward<Functions>(functions)...}, held_);
    }

    /// Returns the held resource, or null if it is of another kind.
    template <class Kind>
        requires(std::same_as<Kind, Kinds> || ...)
    [[nodiscard]] const Kind* get_if() const noexcept {
        return std::get_if<Kind>(&held_);
    }

    /// Blocks until all work on the resource is complete; returns at once if its kind has no `wait()`.
    /// **Throws**: what the `wait()` of the held resource throws.
    void wait() {
        std::visit([](auto& resource) { pointsman::wait(resource); }, held_);
    }

    /// Returns true if the times of work on the held resource are exact; false, for example, for a queue
    /// without profiling.
    [[nodiscard]] bool reports_exact_times() const {
        return std::visit([](auto& resource) { return pointsman::reports_exact_times(resource); },
                          held_);
    }

    /// Lets the held resource drop what its failure may have spoiled; returns what was lost.
    std::string after_failure(const std::exception_ptr& error) const {
        return std::visit(
            [&](const auto& resource) { return pointsman::after_failure(resource, error); }, held_);
    }

    /// The hardware that the held resource uses.
    [[nodiscard]] pointsman::domain domain() const {
        return std::visit([](const auto& resource) { return domain_of(resource); }, held_);
    }

    friend bool operator==(const any_resource_of&, const any_resource_of&)
        requires(detail::has_equality_v<Kinds> && ...)
    = default;
    /// Prints the held resource, if all kinds can be printed.
    friend std::ostream& operator<<(std::ostream& out, const any_resource_of& any)
        requires(detail::printable<Kinds> && ...)
    {
        return std::visit([&](const auto& resource) -> auto& { return out << resource; },
                          any.held_);
    }

  private:
    template <class... Functions>
    struct overload : Functions... {
        using Functions::operator()...;
    };

    std::variant<Kinds...> held_;
};

}  // namespace pointsman
