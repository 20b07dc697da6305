// SPDX-License-Identifier: Apache-2.0
// The base class of backends: stores the resources, and submits without reporting.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/backend.hpp"
#include "pointsman/backend/resource_adapter.hpp"
#include "pointsman/fwd.hpp"
#include "pointsman/info/reporting_requirement.hpp"
#include "pointsman/info/unwrap.hpp"
#include "pointsman/info/wait.hpp"
#include "pointsman/resource/default_universe.hpp"
#include "pointsman/resource/resource.hpp"
#include "pointsman/submission/default_submission.hpp"

namespace pointsman {

namespace detail {
template <class Resource>
[[nodiscard]] std::vector<Resource> default_resources() {
    static_assert(has_default_universe<Resource>,
                  "this resource type has no default set: pass the resources to the policy, or "
                  "specialise pointsman::default_universe for the type with a static get() "
                  "(pointsman/pointsman.hpp has the sets of arenas and queues)");
    return default_universe<Resource>::get();
}

/// Invokes `f` with the resource of a selection; explains at compile time if it cannot be invoked.
template <class F, class ResourceRef, class... Args>
decltype(auto) call_with_resource(F&& f, ResourceRef&& resource, Args&&... args) {
    static_assert(std::is_invocable_v<F, ResourceRef, Args...>,
                  "the submitted function cannot be called with the resource and these arguments: "
                  "its first parameter must take the policy's resource type, by value or const "
                  "reference");
    return std::invoke(std::forward<F>(f), std::forward<ResourceRef>(resource),
                       std::forward<Args>(args)...);
}

/// Accepted only by the `submit` of `backend_base` itself.
struct submit_probe {};

/// A backend that inherits the `submit` of `backend_base`, so that its tasks are not reported. The
/// argument `{}` deduces no template parameter, so a `submit` that hides the base's is not instantiated.
template <class Backend>
concept submits_unreported = requires { Backend::submit({}); };
}  // namespace detail

/// Waits for all work on the adapted resources: the group of backends that cannot notice the completion
/// of single submissions.
template <class Resource, class Adapter = identity>
class resource_group {
  public:
    explicit resource_group(std::vector<Resource> resources, Adapter adapter = {})
        : resources_(std::move(resources)), adapter_(std::move(adapter)) {}

    void wait() {
        static_assert(
            requires(Resource& r, const Adapter& adapter) { adapter(r).wait(); },
            "this backend cannot see the end of its submissions and its resource has no "
            "wait(): give the resource a wait(), or the backend a get_submission_group()");
        for (auto& resource : resources_) {
            adapter_(resource).wait();
        }
    }

  private:
    std::vector<Resource> resources_;
    [[no_unique_address]] Adapter adapter_;
};

/// Base class of user-defined backends. It reports nothing: a derived backend for policies with reporting
/// requirements must define its own `submit`, otherwise it does not compile. A backend that has an adapter
/// but is not used through `default_backend` returns `resource_group{resources_, adapter}` as its
/// submission group.
/// Source: *Implementation Details* in the custom backends document.
template <class Resource>
class backend_base {
  public:
    using resource_type = Resource;
    using execution_resource_t = resource_type;
    using resource_container_t = std::vector<Resource>;

    /// Uses the default set of the resource type.
    template <reporting_requirement... ReportReqs>
    explicit backend_base(ReportReqs...) : resources_{detail::default_resources<Resource>()} {}

    /// Uses the given resources.
    template <class... ReportReqs>
    explicit backend_base(const resource_container_t& resources, ReportReqs...)
        : resources_(resources) {
        static_assert(resource<Resource>,
                      "a resource has to be copyable: pass pointers to the resources, or "
                      "std::shared_ptr");
    }

    [[nodiscard]] resource_container_t get_resources() const { return resources_; }
    [[nodiscard]] auto get_submission_group() { return resource_group<Resource>{resources_}; }

    /// Calls `f` with the selected resource; does not wait for the work that `f` returns.
    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        using result = decltype(detail::call_with_resource(std::forward<F>(f), unwrap(selection),
                                                           std::forward<Args>(args)...));
        if constexpr (std::is_void_v<result>) {
            detail::call_with_resource(std::forward<F>(f), unwrap(selection),
                                       std::forward<Args>(args)...);
            return default_submission<void>{};
        } else {
            return unobserved_submission<std::remove_cv_t<result>>{detail::call_with_resource(
                std::forward<F>(f), unwrap(selection), std::forward<Args>(args)...)};
        }
    }

    /// Detected by `submits_unreported` unless a derived class hides it with its own `submit`.
    static void submit(detail::submit_probe) noexcept {}

  protected:
    resource_container_t resources_;

  private:
    template <class T>
    struct unobserved_submission {
        T work;
        void wait() { pointsman::wait(work); }
        T unwrap() { return std::forward<T>(work); }
    };
};

static_assert(backend<backend_base<detail::sample_resource>> &&
              submission_group<resource_group<detail::sample_resource>>);

}  // namespace pointsman
