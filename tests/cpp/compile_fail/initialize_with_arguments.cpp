// SPDX-License-Identifier: Apache-2.0
// Arguments of initialize have to reach the policy.
// expect: initialize was given arguments that the policy does not take
#include <optional>

#include "fairlead/dynamic_selection.hpp"

namespace fl = fairlead;

class custom : public fl::policy_base<custom, fl::identity, fl::default_backend<int>> {
  public:
    using selection_type = fl::basic_selection_handle_t<custom, int>;
    custom() { initialize({1}, 5); }
    template <class... Args>
    std::optional<selection_type> try_select_impl(const Args&...) {
        return selection_type{*this, 1};
    }
#ifdef FAIRLEAD_BAD
  protected:
#endif
    void initialize_impl(int) {}
};

int main() { custom p; }
