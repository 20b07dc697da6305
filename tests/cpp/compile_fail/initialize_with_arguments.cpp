// SPDX-License-Identifier: Apache-2.0
// The policy must take the arguments of initialize.
// expect: initialize was given arguments that the policy does not take
#include <optional>

#include "pointsman/dynamic_selection.hpp"

namespace pm = pointsman;

class custom : public pm::policy_base<custom, pm::identity, pm::default_backend<int>> {
  public:
    using selection_type = pm::basic_selection_handle_t<custom, int>;
    custom() { initialize({1}, 5); }
    template <class... Args>
    std::optional<selection_type> try_select_impl(const Args&...) {
        return selection_type{*this, 1};
    }
#ifdef POINTSMAN_BAD
  protected:
#endif
    void initialize_impl(int) {}
};

int main() { custom p; }
