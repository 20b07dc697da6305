// SPDX-License-Identifier: Apache-2.0
// Measures submissions of empty work under each of pointsman's policies.
#include <string>
#include <utility>
#include <vector>

#include "measure.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"

namespace {

using namespace pointsman::execution_info;

/// A backend as users write one: it calls the function and reports what the policy asks for.
class inline_backend : public pointsman::backend_base<int> {
  public:
    using backend_base::backend_base;
    static constexpr bool borrows_selections = true;

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        if constexpr (pointsman::report_info_v<Selection, task_submission_t>) {
            pointsman::report(selection, task_submission);
        }
        const completion_report at_end{selection};
        if constexpr (pointsman::report_value_v<Selection, task_time_t>) {
            if (selection.wants_time()) {
                return timed(selection, std::forward<F>(f), std::forward<Args>(args)...);
            }
        }
        return pointsman::default_submission{
            std::forward<F>(f)(selection.unwrap(), std::forward<Args>(args)...)};
    }

  private:
    /// Reports completion even if the function throws.
    template <class Selection>
    struct completion_report {
        Selection& selection;
        ~completion_report() {
            if constexpr (pointsman::report_info_v<Selection, task_completion_t>) {
                pointsman::report(selection, task_completion);
            }
        }
    };
    template <class Selection>
    completion_report(Selection&) -> completion_report<Selection>;

    template <class Selection, class F, class... Args>
    static auto timed(Selection& selection, F&& f, Args&&... args) {
        const auto start = pointsman::clock::now();
        pointsman::default_submission done{
            std::forward<F>(f)(selection.unwrap(), std::forward<Args>(args)...)};
        pointsman::report(selection, task_time, pointsman::clock::now() - start);
        return done;
    }
};

/// A policy that also counts the failures of its resources.
template <class Policy>
struct with_health : pointsman::recovering_policy<Policy> {
    explicit with_health(const std::vector<int>& resources)
        : pointsman::recovering_policy<Policy>{Policy{resources}} {}
};

/// Adds a policy's rows: on the user-defined backend above, on the policy's default backend, and on that with
/// the health of resources.
template <template <class...> class Policy>
void add() {
    const std::string name = Policy<int>::state_type::name;
    bench::add_submit<Policy<int, pointsman::identity, inline_backend>>(name, bench::own_backend);
    bench::add_submit<Policy<int>>(name, bench::default_backend);
    bench::add_submit<with_health<Policy<int>>>(name + ", health", bench::default_backend);
}
template <template <class...> class... Policies>
bool add_all(pointsman::policy_list<Policies...>) {
    (add<Policies>(), ...);
    return true;
}

const bool added = add_all(pointsman::provided_policies{});

}  // namespace
