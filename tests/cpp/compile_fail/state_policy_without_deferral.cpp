// SPDX-License-Identifier: Apache-2.0
// A policy with a state has to be constructible without resources.
// expect: explicit P(deferred_initialization_t)
#include <cstddef>
#include <vector>

#include "fairlead/dynamic_selection.hpp"

namespace fl = fairlead;

class custom : public fl::policy_base<custom, fl::identity, fl::default_backend<int>> {
  public:
    using selection_type = state_selection;
    explicit custom(const std::vector<int>& resources) { initialize(resources); }
#ifndef FAIRLEAD_BAD
    explicit custom(fl::deferred_initialization_t) {}
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
    fl::submit(p.select(), [](int) {});
}
