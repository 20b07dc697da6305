// SPDX-License-Identifier: Apache-2.0
// A custom policy has to write its selection rule.
// expect: a policy has to write try_select_impl(f, args...): return a std::optional
#include <optional>

#include "fairlead/dynamic_selection.hpp"

namespace fl = fairlead;

class custom : public fl::policy_base<custom, fl::identity, fl::default_backend<int>> {
  public:
    using selection_type = fl::basic_selection_handle_t<custom, int>;
    custom() { initialize({1}); }
#ifndef FAIRLEAD_BAD
    template <class... Args>
    std::optional<selection_type> try_select_impl(const Args&...) {
        return selection_type{*this, 1};
    }
#endif
};

int main() {
    custom p;
    fl::submit(p, [](int) {});
}
