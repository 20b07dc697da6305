// SPDX-License-Identifier: Apache-2.0
// A custom policy must define its selection rule.
// expect: a policy must define try_select_impl(f, args...): return a std::optional
#include <optional>

#include "pointsman/dynamic_selection.hpp"

namespace pm = pointsman;

class custom : public pm::policy_base<custom, pm::identity, pm::default_backend<int>> {
  public:
    using selection_type = pm::basic_selection_handle_t<custom, int>;
    custom() { initialize({1}); }
#ifndef POINTSMAN_BAD
    template <class... Args>
    std::optional<selection_type> try_select_impl(const Args&...) {
        return selection_type{*this, 1};
    }
#endif
};

int main() {
    custom p;
    pm::submit(p, [](int) {});
}
