// SPDX-License-Identifier: Apache-2.0
// The default backend of all policies: the core_resource_backend of the adapted resource type.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/backend/backend.hpp"
#include "pointsman/backend/core_resource_backend.hpp"
#include "pointsman/backend/detail/adapted_group.hpp"
#include "pointsman/backend/resource_adapter.hpp"
#include "pointsman/fwd.hpp"
#include "pointsman/info/reporting_requirement.hpp"
#include "pointsman/resource/resource.hpp"

namespace pointsman {
namespace detail {
template <class Resource, class Adapter>
struct adapted {
    static_assert(resource_adapter<Adapter, Resource>,
                  "the adapter cannot be called with the resource: it must take a const reference "
                  "to the policy's resource type and return what the backend works with");
    using type = std::decay_t<std::invoke_result_t<const Adapter&, const Resource&>>;
};
}  // namespace detail

/// The type into which `Adapter` converts a `Resource`.
template <class Resource, class Adapter>
using core_resource_t = typename detail::adapted<Resource, Adapter>::type;

/// The `core_resource_backend` of the type into which `Adapter` converts a `Resource`. An adapter lets one
/// backend serve other types: with `[](auto* q) { return *q; }` a set of `queue*` uses the backend of
/// `queue`. Submitted functions receive the unadapted `Resource`. If a specialised backend inherits the
/// submission group of `backend_base`, that group waits for the adapted resources.
/// Source: *Adapter Support for Resource Transformation* in the custom backends document.
template <class Resource, class Adapter = identity>
class default_backend
    : public detail::with_adapted_group_t<
          core_resource_backend<core_resource_t<Resource, Adapter>, Resource, Adapter>, Resource,
          Adapter> {
    using base = detail::with_adapted_group_t<
        core_resource_backend<core_resource_t<Resource, Adapter>, Resource, Adapter>, Resource,
        Adapter>;

  public:
    template <reporting_requirement... ReportReqs>
    explicit default_backend(ReportReqs... reqs) : base{reqs...} {}

    template <class... ReportReqs>
    explicit default_backend(const std::vector<Resource>& resources, Adapter adapter = {},
                             ReportReqs... reqs)
        : base{resources, std::move(adapter), reqs...} {}
};

static_assert(backend<default_backend<detail::sample_resource>>);

}  // namespace pointsman
