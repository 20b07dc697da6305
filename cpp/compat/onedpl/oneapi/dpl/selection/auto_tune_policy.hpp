// SPDX-License-Identifier: Apache-2.0
// The policy that measures its resources on each kind of task and uses the best.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

#include "fairlead/policy/auto_tune_policy.hpp"
#include "oneapi/dpl/selection/adapted_backend.hpp"

namespace oneapi::dpl::experimental {

/// `fairlead::auto_tune_policy` over any backend that reports `task_time`. The time after which it
/// measures again is a number of milliseconds; zero never does.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>, class... KeyArgs>
class auto_tune_policy
    : public fairlead::auto_tune_policy<
          Resource, ResourceAdapter,
          detail::adapted_backend_t<Backend, execution_info::task_time_t>, KeyArgs...> {
    using base =
        fairlead::auto_tune_policy<Resource, ResourceAdapter,
                                   detail::adapted_backend_t<Backend, execution_info::task_time_t>,
                                   KeyArgs...>;

  public:
    using typename base::duration;
    using typename base::resource_type;
    using backend_type = Backend;

    explicit auto_tune_policy(deferred_initialization_t tag) : base{tag} {}
    explicit auto_tune_policy(std::uint64_t resample_ms = 0) : base{after(resample_ms)} {}
    explicit auto_tune_policy(const std::vector<resource_type>& resources,
                              std::uint64_t resample_ms = 0)
        : base{resources, after(resample_ms)} {}
    auto_tune_policy(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                     std::uint64_t resample_ms = 0)
        : base{resources, std::move(adapter), after(resample_ms)} {}

    /// Takes the default set. A template, so that `{3}` is a set of resources and not a time.
    void initialize() { initialize(0); }
    template <std::integral Count>
    void initialize(Count resample_ms) {
        base::initialize(after(static_cast<std::uint64_t>(resample_ms)));
    }
    /// Takes `resources`; a second call replaces them and forgets what was learnt.
    void initialize(const std::vector<resource_type>& resources, std::uint64_t resample_ms = 0) {
        base::initialize(resources, after(resample_ms));
    }
    void initialize(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                    std::uint64_t resample_ms = 0) {
        base::initialize(resources, std::move(adapter), after(resample_ms));
    }

  private:
    static duration after(std::uint64_t resample_ms) {
        return std::chrono::milliseconds{resample_ms};
    }
};

template <class Resource>
auto_tune_policy(const std::vector<Resource>&, std::uint64_t = 0) -> auto_tune_policy<Resource>;
template <fairlead::detail::listed_resource Resource>
auto_tune_policy(std::initializer_list<Resource>, std::uint64_t = 0) -> auto_tune_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::uint64_t>)
auto_tune_policy(const std::vector<Resource>&, Adapter, std::uint64_t = 0)
    -> auto_tune_policy<Resource, Adapter>;
template <fairlead::detail::listed_resource Resource, class Adapter>
    requires(!std::is_convertible_v<Adapter, std::uint64_t>)
auto_tune_policy(std::initializer_list<Resource>, Adapter, std::uint64_t = 0)
    -> auto_tune_policy<Resource, Adapter>;

}  // namespace oneapi::dpl::experimental
