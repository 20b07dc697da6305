// SPDX-License-Identifier: Apache-2.0
// The base of backends that a user writes.
#pragma once

#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fairlead/backend/backend_base.hpp"
#include "fairlead/resource/default_universe.hpp"

namespace oneapi::dpl::experimental {
namespace detail {
/// The default set of a resource type, empty for a type without one.
template <class Resource>
std::vector<Resource> default_set() {
    if constexpr (fairlead::has_default_universe<Resource>) {
        return fairlead::default_universe<Resource>::get();
    } else {
        return {};
    }
}
}  // namespace detail

/// Waits for whole resources.
template <class Resource>
class resource_group {
  public:
    explicit resource_group(std::vector<Resource> resources) : resources_(std::move(resources)) {}

    /// **Throws**: `std::logic_error` when the resources have no `wait()`.
    void wait() {
        if constexpr (requires(Resource& resource) { resource.wait(); }) {
            fairlead::resource_group<Resource>{resources_}.wait();
        } else {
            throw std::logic_error{
                "this backend cannot wait for its submissions: give the resource a wait(), or the "
                "backend a get_submission_group()"};
        }
    }

  private:
    std::vector<Resource> resources_;
};

/// Base of backends that a user writes: it keeps the resources, in the protected `resources_`, and
/// submits without reporting. Made without resources it has those of
/// `fairlead::default_universe<Resource>`, or none.
template <class Resource>
class backend_base : public fairlead::backend_base<Resource> {
    using base = fairlead::backend_base<Resource>;

  public:
    using report_duration = std::chrono::milliseconds;

    template <class... ReportReqs>
        requires(fairlead::execution_info_v<ReportReqs> && ...)
    explicit backend_base(ReportReqs... reqs) : base{detail::default_set<Resource>(), reqs...} {}
    template <class... ReportReqs>
    explicit backend_base(const std::vector<Resource>& resources, ReportReqs... reqs)
        : base{resources, reqs...} {}

    [[nodiscard]] auto get_submission_group() { return resource_group<Resource>{this->resources_}; }
};

}  // namespace oneapi::dpl::experimental
