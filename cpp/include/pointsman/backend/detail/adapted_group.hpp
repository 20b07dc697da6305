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

/// A backend whose submission group is that of `backend_base`, which has no adapter.
template <class Backend, class Resource>
concept groups_unadapted = requires {
    {
        &Backend::get_submission_group
    } -> std::same_as<resource_group<Resource> (backend_base<Resource>::*)()>;
};

/// `Backend` with a copy of its adapter, for the group to use.
template <class Backend, class Resource, class Adapter>
class adapted_group : public Backend {
  public:
    template <reporting_requirement... ReportReqs>
    explicit adapted_group(ReportReqs... reqs) : Backend(reqs...) {}

    template <class... ReportReqs>
    explicit adapted_group(const std::vector<Resource>& resources, Adapter adapter,
                           ReportReqs... reqs)
        : Backend(resources, adapter, reqs...), group_adapter_{std::move(adapter)} {}

    /// Waits for whole resources, adapted.
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

/// `Backend`, or `Backend` with an adapted group if it has none of its own.
template <class Backend, class Resource, class Adapter>
using with_adapted_group_t = std::conditional_t<needs_adapted_group_v<Backend, Resource, Adapter>,
                                                adapted_group<Backend, Resource, Adapter>, Backend>;

}  // namespace pointsman::detail
