// SPDX-License-Identifier: Apache-2.0
// The policy that bounds the outstanding work of each resource.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Gives each resource `tokens` tokens. A submission takes one of the least loaded resource until it
/// is complete; without a free token `try_submit` comes back empty and `submit` waits for one. Ties
/// rotate, or go to the first with `tie_break::first`. Use it to bound queues and memory.
///
/// **Needs**: `task_submission` and `task_completion`.
/// **Throws**: at construction `empty_resource_set`; `invalid_option` for zero tokens.
/// **Thread safety**: all members from any thread; copies share the tokens. A resource never has more
/// than `tokens` submissions outstanding, except through a selection that is submitted more than once.
/// **Cost**: a scan that stops at the first idle resource, two atomic steps, no allocation. The end of
/// a task wakes those that wait.
/// **Example**: `token_policy p{{0, 1}, 4};  if (!p.try_submit(work)) { do_something_else(); }`
/// Source: *Policy Design* in the custom policies document, which lets a rule find no resource.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class token_policy
    : public policy_base<token_policy<Resource, ResourceAdapter, Backend>, ResourceAdapter, Backend,
                         execution_info::task_submission_t, execution_info::task_completion_t> {
    using base = policy_base<token_policy, ResourceAdapter, Backend,
                             execution_info::task_submission_t, execution_info::task_completion_t>;

  public:
    using typename base::resource_type;
    using selection_type = typename base::state_selection;

    class state_type {
      public:
        explicit state_type(const std::vector<resource_type>& resources, std::uint32_t tokens = 1,
                            tie_break ties = tie_break::rotate)
            : table_{resources.size(), 0, ties}, tokens_{tokens} {
            if (tokens == 0) {
                throw invalid_option{"tokens is 0, so nothing could run: pass 1 or more"};
            }
        }

        static constexpr bool notifies_always = true;
        struct choice {
            std::size_t index;
        };
        /// Takes a token of the resource that it returns.
        template <class... Task>
        [[nodiscard]] std::optional<choice> choose(std::size_t thread, const Task&...) noexcept {
            const auto index = table_.reserve_below(tokens_, thread);
            return index ? std::optional{choice{*index}} : std::nullopt;
        }
        /// The same among the resources that suit.
        template <class Suits, class... Task>
        [[nodiscard]] std::optional<choice> choose_among(std::size_t thread, const Suits& suits,
                                                         const Task&...) {
            const auto index = table_.reserve_below(tokens_, thread, suits);
            return index ? std::optional{choice{*index}} : std::nullopt;
        }
        void add(const choice& chosen) noexcept { table_.add(chosen.index); }
        void give_back(const choice& chosen) noexcept { table_.subtract(chosen.index); }
        [[nodiscard]] const load_table& table() const noexcept { return table_; }

      private:
        load_table table_;
        std::uint32_t tokens_;
    };

    explicit token_policy(deferred_initialization_t) {}
    explicit token_policy(std::uint32_t tokens = 1, tie_break ties = tie_break::rotate) {
        base::initialize(tokens, ties);
    }
    explicit token_policy(const std::vector<resource_type>& resources, std::uint32_t tokens = 1,
                          tie_break ties = tie_break::rotate) {
        base::initialize(resources, tokens, ties);
    }
    token_policy(const std::vector<resource_type>& resources,
                 std::type_identity_t<ResourceAdapter> adapter, std::uint32_t tokens = 1,
                 tie_break ties = tie_break::rotate) {
        base::initialize(resources, std::move(adapter), tokens, ties);
    }

    /// Outstanding submissions by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        return this->backend_.current()->set->state.table().loads();
    }
};

template <class Resource>
token_policy(const std::vector<Resource>&, std::uint32_t = 1, tie_break = tie_break::rotate)
    -> token_policy<Resource>;
template <detail::listed_resource Resource>
token_policy(std::initializer_list<Resource>, std::uint32_t = 1, tie_break = tie_break::rotate)
    -> token_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
token_policy(const std::vector<Resource>&, Adapter, std::uint32_t = 1,
             tie_break = tie_break::rotate) -> token_policy<Resource, Adapter>;
template <detail::listed_resource Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
token_policy(std::initializer_list<Resource>, Adapter, std::uint32_t = 1,
             tie_break = tie_break::rotate) -> token_policy<Resource, Adapter>;

static_assert(policy<token_policy<detail::sample_resource>> &&
              policy_state<token_policy<detail::sample_resource>::state_type> &&
              selection<token_policy<detail::sample_resource>::selection_type>);

}  // namespace pointsman
