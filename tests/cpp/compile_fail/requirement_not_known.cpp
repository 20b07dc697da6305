// SPDX-License-Identifier: Apache-2.0
// The default backend refuses user-defined reporting requirements.
// expect: the policy needs a report that this backend does not know
#include <optional>

#include "pointsman/dynamic_selection.hpp"

namespace pm = pointsman;

#ifdef POINTSMAN_BAD
struct needed {
    using value_type = double;
};
#else
using needed = pm::execution_info::task_time_t;
#endif

class custom : public pm::policy_base<custom, pm::identity, pm::default_backend<int>, needed> {
  public:
    using selection_type = pm::basic_selection_handle_t<custom, int>;
    custom() { initialize({1}); }
    template <class... Args>
    std::optional<selection_type> try_select_impl(const Args&...) {
        return selection_type{*this, 1};
    }
};

int main() { custom p; }
