// SPDX-License-Identifier: Apache-2.0
// In the drop-in, a user-defined policy needs a rule under one of its names.
// expect: a policy must define try_select(f, args...)
#include <oneapi/dpl/dynamic_selection>
#include <optional>
#include <vector>

namespace ex = oneapi::dpl::experimental;

class first_policy
    : public ex::policy_base<first_policy, oneapi::dpl::identity, ex::default_backend<int>> {
  public:
    explicit first_policy(const std::vector<int>& resources) { initialize(resources); }
    void initialize_state() {}
#ifndef POINTSMAN_BAD
    template <class... Task>
    std::optional<selection_type> try_select(Task&&...) {
        return std::make_optional<selection_type>(*this, get_resources().front());
    }
#endif
};

int main() {
    first_policy p{{1}};
    ex::submit(p, [](int) {});
}
