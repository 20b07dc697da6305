// SPDX-License-Identifier: Apache-2.0
// Gives a specialised backend that stores unadapted resources a group that waits for adapted ones.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/backend_base.hpp"
#include "pointsman/fwd.hpp"
#include "pointsman/info/reporting_requirement.hpp"

namespace pointsman::detail {

/// A backend that inherits the submission group of `backend_base`, which ignores adapters.
template <class Backend, class Resource>
concept groups_unadapted = requires {
    {
        &Backend::get_submission_group
    } -> std::same_as<resource_group<Resource> (backend_base<Resource>::*)()>;
};

/// `Backend` with a copy of its adapter for the submission group.
template <class Backend, class Resource, class Adapter>
class adapted_group : public Backend {
  public:
    template <reporting_requirement... ReportReqs>
    explicit adapted_group(ReportReqs... reqs) : Backend(reqs...) {}

    template <class... ReportReqs>
    explicit adapted_group(const std::vector<Resource>& resources, Adapter adapter,
                           ReportReqs... reqs)
        : Backend(resources, adapter, reqs...), group_adapter_{std::move(adapter)} {}

    /// Returns a group that waits for all work on the adapted resources.
    [[nodiscard]] auto get_submission_group() {
        return resource_group<Resource, Adapter>{this->resources_, group_adapter_};
    }

  private:
    [[no_unique_address]] Adapter group_adapter_{};
};

template <class Backend, class Resource, class Adapter>
inline constexpr bool needs_adapted_group_v =
    !std::is_same_v<Adapter, identity> && std::copy_constructible<Adapter> &&
    groups_unadapted<Backend, Resource>;

/// `Backend`, or `adapted_group` of it if its own submission group would ignore the adapter.
template <class Backend, class Resource, class Adapter>
using with_adapted_group_t = std::conditional_t<needs_adapted_group_v<Backend, Resource, Adapter>,
                                                adapted_group<Backend, Resource, Adapter>, Backend>;

}  // namespace pointsman::detail
