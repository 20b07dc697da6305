// SPDX-License-Identifier: Apache-2.0
// What a submission of empty work costs under each of fairlead's policies.
#include <string>
#include <utility>

#include "fairlead/dynamic_selection.hpp"
#include "measure.hpp"

namespace {

using namespace fairlead::execution_info;

/// A backend as a user would write one: it calls the function and reports what the policy asks for.
class inline_backend : public fairlead::backend_base<int> {
  public:
    using backend_base::backend_base;
    static constexpr bool borrows_selections = true;

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        if constexpr (fairlead::report_info_v<Selection, task_submission_t>) {
            fairlead::report(selection, task_submission);
        }
        const completion_report at_end{selection};
        if constexpr (fairlead::report_value_v<Selection, task_time_t>) {
            if (selection.wants_time()) {
                return timed(selection, std::forward<F>(f), std::forward<Args>(args)...);
            }
        }
        return fairlead::default_submission{
            std::forward<F>(f)(selection.unwrap(), std::forward<Args>(args)...)};
    }

  private:
    /// Also where the function throws.
    template <class Selection>
    struct completion_report {
        Selection& selection;
        ~completion_report() {
            if constexpr (fairlead::report_info_v<Selection, task_completion_t>) {
                fairlead::report(selection, task_completion);
            }
        }
    };
    template <class Selection>
    completion_report(Selection&) -> completion_report<Selection>;

    template <class Selection, class F, class... Args>
    static auto timed(Selection& selection, F&& f, Args&&... args) {
        const auto start = fairlead::clock::now();
        fairlead::default_submission done{
            std::forward<F>(f)(selection.unwrap(), std::forward<Args>(args)...)};
        fairlead::report(selection, task_time, fairlead::clock::now() - start);
        return done;
    }
};

/// A policy's rows: on a backend of the user's own, and on the one that it takes by default.
template <template <class...> class Policy>
bool add(const std::string& name) {
    bench::add_submit<Policy<int, fairlead::identity, inline_backend>>(name, bench::own_backend);
    bench::add_submit<Policy<int>>(name, bench::default_backend);
    return true;
}

const bool added[] = {
    add<fairlead::fixed_resource_policy>("fixed_resource"),
    add<fairlead::round_robin_policy>("round_robin"),
    add<fairlead::dynamic_load_policy>("dynamic_load"),
    add<fairlead::auto_tune_policy>("auto_tune"),
    add<fairlead::random_policy>("random"),
    add<fairlead::token_policy>("token"),
    add<fairlead::weighted_round_robin_policy>("weighted_round_robin"),
    add<fairlead::earliest_finish_policy>("earliest_finish"),
};

}  // namespace
