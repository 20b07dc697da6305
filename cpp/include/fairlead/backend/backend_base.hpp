// SPDX-License-Identifier: Apache-2.0
// The minimum that every backend shares: its resources, and submission without reporting.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "fairlead/info/execution_info.hpp"
#include "fairlead/info/unwrap.hpp"
#include "fairlead/info/wait.hpp"
#include "fairlead/resource/default_universe.hpp"
#include "fairlead/submission/submission.hpp"

namespace fairlead {

namespace detail {
template <class Resource>
[[nodiscard]] std::vector<Resource> default_resources() {
    static_assert(has_default_universe<Resource>,
                  "this resource type has no default set: pass the resources to the policy, or "
                  "specialise fairlead::default_universe for the type with a static get() "
                  "(fairlead/fairlead.hpp has those of arenas and queues)");
    return default_universe<Resource>::get();
}

/// Invokes `f` with the resource of a selection, or says at compile time why it cannot.
template <class F, class ResourceRef, class... Args>
decltype(auto) call_with_resource(F&& f, ResourceRef&& resource, Args&&... args) {
    static_assert(std::is_invocable_v<F, ResourceRef, Args...>,
                  "the submitted function cannot be called with the resource and these arguments: "
                  "its first parameter must take the policy's resource type, by value or const "
                  "reference");
    return std::invoke(std::forward<F>(f), std::forward<ResourceRef>(resource),
                       std::forward<Args>(args)...);
}
}  // namespace detail

/// Waits for whole resources, for backends that cannot see the end of a submission.
template <class Resource>
class resource_group {
  public:
    explicit resource_group(std::vector<Resource> resources) : resources_(std::move(resources)) {}

    void wait() {
        static_assert(
            requires(Resource& r) { r.wait(); },
            "this backend cannot see the end of its submissions and its resource has no "
            "wait(): give the resource a wait(), or the backend a get_submission_group()");
        for (auto& resource : resources_) {
            resource.wait();
        }
    }

  private:
    std::vector<Resource> resources_;
};

/// Base of backends that a user writes. It reports nothing: a derived backend that serves policies
/// with reporting requirements writes a `submit` of its own.
/// Source: *Implementation Details* in the custom backends document.
template <class Resource>
class backend_base {
  public:
    using resource_type = Resource;
    using execution_resource_t = resource_type;
    using resource_container_t = std::vector<Resource>;

    /// The default set of the resource type.
    template <class... ReportReqs>
        requires(execution_info_v<ReportReqs> && ...)
    explicit backend_base(ReportReqs...) : resources_{detail::default_resources<Resource>()} {}

    /// The given resources.
    template <class... ReportReqs>
    explicit backend_base(const resource_container_t& resources, ReportReqs...)
        : resources_(resources) {}

    [[nodiscard]] resource_container_t get_resources() const { return resources_; }
    [[nodiscard]] auto get_submission_group() { return resource_group<Resource>{resources_}; }

    /// Calls `f` with the selected resource; does not wait for what it returns.
    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        using result = decltype(detail::call_with_resource(std::forward<F>(f), unwrap(selection),
                                                           std::forward<Args>(args)...));
        if constexpr (std::is_void_v<result>) {
            detail::call_with_resource(std::forward<F>(f), unwrap(selection),
                                       std::forward<Args>(args)...);
            return default_submission<void>{};
        } else {
            return unobserved_submission<result>{detail::call_with_resource(
                std::forward<F>(f), unwrap(selection), std::forward<Args>(args)...)};
        }
    }

  protected:
    resource_container_t resources_;

  private:
    template <class T>
    struct unobserved_submission {
        T work;
        void wait() { fairlead::wait(work); }
        T unwrap() { return std::forward<T>(work); }
    };
};

}  // namespace fairlead
