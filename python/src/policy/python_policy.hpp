// SPDX-License-Identifier: Apache-2.0
// The engine's side of `pointsman.PolicyBase`, whose rule is a `try_select` written in Python.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/python_backend.hpp"
#include "pointsman/dynamic_selection.hpp"

namespace pointsman::python {

/// Calls the method `try_select` of a Python object, which it references weakly since the object owns
/// the policy. The method returns a resource of the set, an entry of `statistics`, or `None`.
class python_policy
    : public policy_base<python_policy, backend_choice, python_backend,
                         execution_info::task_submission_t, execution_info::task_completion_t> {
    using base = policy_base<python_policy, backend_choice, python_backend,
                             execution_info::task_submission_t, execution_info::task_completion_t>;

  public:
    using base::resource_type;
    using selection_type = base::state_selection;

    class state_type {
      public:
        state_type(const std::vector<python_resource>& resources, shared_object owner);

        struct choice {
            std::size_t index;
        };
        template <class Task>
        [[nodiscard]] std::optional<choice> choose(std::size_t, const Task& task) {
            return ask(underlying(task));
        }
        void add(const choice& chosen) noexcept { ++loads_[chosen.index]; }
        void give_back(const choice& chosen) noexcept { --loads_[chosen.index]; }
        [[nodiscard]] static std::string explain(const choice&) {
            return "its try_select returned it";
        }

        [[nodiscard]] std::vector<std::size_t> loads() const;
        [[nodiscard]] std::size_t size() const noexcept { return resources_.size(); }
        [[nodiscard]] std::uint32_t load(std::size_t index) const noexcept {
            return static_cast<std::uint32_t>(loads_[index].load());
        }

      private:
        [[nodiscard]] std::optional<choice> ask(const python_task& task);
        [[nodiscard]] std::optional<std::size_t> index_of(const py::object& found) const;
        [[nodiscard]] bool is_set_of(const py::object& policy) const;

        const std::vector<python_resource>& resources_;
        const shared_object owner_;  // a weak reference
        const std::unique_ptr<std::atomic<std::size_t>[]> loads_;
    };

    explicit python_policy(deferred_initialization_t) {}

    /// Returns true if the set of resources to which `state` belongs has not been replaced.
    [[nodiscard]] bool is_current(const state_type& state) const {
        return &backend_.current()->set->state == &state;
    }
    /// Returns the current set of resources with its rule. **Throws**: `not_initialized`.
    [[nodiscard]] auto current() const { return backend_.current().share(); }
    [[nodiscard]] backend_choice choice() const { return backend_.current()->backend.choice(); }
    [[nodiscard]] std::vector<std::size_t> loads() const {
        return backend_.current()->set->state.loads();
    }
};

static_assert(policy<python_policy> && policy_state<python_policy::state_type>);

}  // namespace pointsman::python
