// SPDX-License-Identifier: Apache-2.0
// A policy with state must be constructible without resources.
// expect: explicit P(deferred_initialization_t)
#include <cstddef>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace pm = pointsman;

class custom : public pm::policy_base<custom, pm::identity, pm::default_backend<int>> {
  public:
    using selection_type = state_selection;
    explicit custom(const std::vector<int>& resources) { initialize(resources); }
#ifndef POINTSMAN_BAD
    explicit custom(pm::deferred_initialization_t) {}
#endif
    struct state_type {
        explicit state_type(const std::vector<int>&) {}
        struct choice {
            std::size_t index;
        };
        template <class... Task>
        choice choose(std::size_t, const Task&...) {
            return {0};
        }
    };
};

int main() {
    custom p{{1}};
    pm::submit(p.select(), [](int) {});
}
