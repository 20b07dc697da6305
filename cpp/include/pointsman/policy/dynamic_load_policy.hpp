// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource with the least outstanding work.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/detail/load_table.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/policy_base.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/policy/selection.hpp"
#include "pointsman/policy/tie_break.hpp"

namespace pointsman {

/// Chooses the resource with the fewest outstanding submissions; ties rotate, beginning with
/// `offset`, or go to the first from `offset` on with `tie_break::first`. Use it when tasks differ in
/// length or resources in speed.
///
/// **Needs**: `task_submission` and `task_completion`.
/// **Throws**: at construction `empty_resource_set`, `resource_index_error`.
/// **Thread safety**: all members from any thread; copies share the loads. Of two simultaneous
/// submitters only one takes a given idle resource.
/// **Cost**: a scan that stops at the first idle resource, two atomic steps, no allocation.
/// **Example**: `dynamic_load_policy p{{0, 1}};  submit(p, [](int r) { return start(r); });`
/// Source: *dynamic_load_policy* in the dynamic selection document.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class dynamic_load_policy
    : public policy_base<dynamic_load_policy<Resource, ResourceAdapter, Backend>, ResourceAdapter,
                         Backend, execution_info::task_submission_t,
                         execution_info::task_completion_t> {
    using base = policy_base<dynamic_load_policy, ResourceAdapter, Backend,
                             execution_info::task_submission_t, execution_info::task_completion_t>;

  public:
    using typename base::resource_type;
    using selection_type = typename base::state_selection;

    class state_type {
      public:
        explicit state_type(const std::vector<resource_type>& resources, std::size_t offset = 0,
                            tie_break ties = tie_break::rotate)
            : table_{resources.size(), offset, ties} {
            if (offset >= resources.size()) {
                throw resource_index_error{offset, resources.size()};
            }
        }

        struct choice {
            std::size_t index;
        };
        /// Counts the task on the resource that it returns.
        template <class... Task>
        [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
            return {table_.reserve_least(thread)};
        }
        /// The same among the resources that suit.
        template <class Suits, class... Task>
        [[nodiscard]] std::optional<choice> choose_among(std::size_t thread, const Suits& suits,
                                                         const Task&...) {
            const auto index = table_.reserve_below(load_table::no_limit, thread, suits);
            return index ? std::optional{choice{*index}} : std::nullopt;
        }
        void add(const choice& chosen) noexcept { table_.add(chosen.index); }
        void give_back(const choice& chosen) noexcept { table_.subtract(chosen.index); }
        [[nodiscard]] const load_table& table() const noexcept { return table_; }

      private:
        load_table table_;
    };

    explicit dynamic_load_policy(deferred_initialization_t) {}
    explicit dynamic_load_policy(std::size_t offset = 0, tie_break ties = tie_break::rotate) {
        base::initialize(offset, ties);
    }
    explicit dynamic_load_policy(const std::vector<resource_type>& resources,
                                 std::size_t offset = 0, tie_break ties = tie_break::rotate) {
        base::initialize(resources, offset, ties);
    }
    dynamic_load_policy(const std::vector<resource_type>& resources,
                        std::type_identity_t<ResourceAdapter> adapter, std::size_t offset = 0,
                        tie_break ties = tie_break::rotate) {
        base::initialize(resources, std::move(adapter), offset, ties);
    }

    /// Outstanding submissions by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        return this->backend_.current()->set->state.table().loads();
    }
};

template <class Resource>
dynamic_load_policy(const std::vector<Resource>&, std::size_t = 0, tie_break = tie_break::rotate)
    -> dynamic_load_policy<Resource>;
template <detail::listed_resource Resource>
dynamic_load_policy(std::initializer_list<Resource>, std::size_t = 0, tie_break = tie_break::rotate)
    -> dynamic_load_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
dynamic_load_policy(const std::vector<Resource>&, Adapter, std::size_t = 0,
                    tie_break = tie_break::rotate) -> dynamic_load_policy<Resource, Adapter>;
template <detail::listed_resource Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
dynamic_load_policy(std::initializer_list<Resource>, Adapter, std::size_t = 0,
                    tie_break = tie_break::rotate) -> dynamic_load_policy<Resource, Adapter>;

static_assert(policy<dynamic_load_policy<detail::sample_resource>> &&
              policy_state<dynamic_load_policy<detail::sample_resource>::state_type> &&
              selection<dynamic_load_policy<detail::sample_resource>::selection_type>);

}  // namespace pointsman
