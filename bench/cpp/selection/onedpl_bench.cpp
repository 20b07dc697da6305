// SPDX-License-Identifier: Apache-2.0
// The same submissions under oneDPL's own policies, built if its headers are found.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "measure.hpp"
#include "oneapi/dpl/dynamic_selection"

#ifndef _ONEDPL_POLICY_BASE_H
#error "these are not oneDPL's own headers: set POINTSMAN_ONEDPL_INCLUDE_DIR to their folder"
#endif

namespace {

namespace dpl = oneapi::dpl::experimental;
using namespace dpl::execution_info;

/// pointsman's inline backend, written by oneDPL's rules: selections are passed by value, and times
/// are in milliseconds.
class inline_backend : public dpl::backend_base<int> {
  public:
    template <class... ReportReqs>
    explicit inline_backend(const std::vector<int>& all, oneapi::dpl::identity, ReportReqs...)
        : backend_base{all} {}

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        constexpr bool timed = dpl::report_value_v<Selection, task_time_t, report_duration>;
        dpl::report(selection, task_submission);
        std::chrono::steady_clock::time_point start;
        if constexpr (timed) {
            start = std::chrono::steady_clock::now();
        }
        default_submission<int> done{
            std::forward<F>(f)(dpl::unwrap(selection), std::forward<Args>(args)...)};
        if constexpr (timed) {
            dpl::report(selection, task_time,
                        std::chrono::duration_cast<report_duration>(
                            std::chrono::steady_clock::now() - start));
        }
        dpl::report(selection, task_completion);
        return done;
    }
};

template <template <class...> class Policy>
bool add(const std::string& name) {
    bench::add_submit<Policy<int, oneapi::dpl::identity, inline_backend>>(name,
                                                                          bench::rival_backend);
    return true;
}

const bool added[] = {
    add<dpl::fixed_resource_policy>("fixed_resource"),
    add<dpl::round_robin_policy>("round_robin"),
    add<dpl::dynamic_load_policy>("dynamic_load"),
    add<dpl::auto_tune_policy>("auto_tune"),
};

}  // namespace
