// SPDX-License-Identifier: Apache-2.0
// Submissions cannot return a policy that cannot be copied.
// expect: this policy cannot be copied, so its submissions cannot keep it for get_policy()
#include <atomic>
#include <optional>

#include "pointsman/dynamic_selection.hpp"

namespace pm = pointsman;

class counting : public pm::policy_base<counting, pm::identity, pm::default_backend<int>> {
  public:
    using selection_type = pm::basic_selection_handle_t<counting, int>;
    counting() { initialize({1}); }
    template <class... Args>
    std::optional<selection_type> try_select_impl(const Args&...) {
        ++chosen;
        return selection_type{*this, 1};
    }
    std::atomic<int> chosen{0};
};

int main() {
    counting p;
    auto submission = p.submit([](int) {});
    submission.wait();
#ifdef POINTSMAN_BAD
    submission.get_policy();
#endif
}
