// SPDX-License-Identifier: Apache-2.0
// Whether a measuring policy uses resources that report only upper bounds of task times.
#pragma once

namespace pointsman {

/// Which resources a policy that measures task times uses.
///
/// With `preferred`, the default, it uses all of them. The time of a task whose end may be noticed late (a
/// polled `std::future`, an OpenCL queue without profiling) is an upper bound; it counts less than an exact
/// time.
/// With `required`, resources for which `reports_exact_times` is false are left out when the policy is
/// initialised. Use it when small differences between resources matter.
/// Source: *Resource filtering* in the custom backends document.
enum class exact_times { preferred, required };

namespace detail {
/// Makes a backend leave out resources without exact times if `times` requires them. A user-defined backend
/// without `require_exact_times()` filters by the reporting requirement `task_time` instead.
template <class Backend>
void leave_out_inexact(Backend& backend, exact_times times) {
    if constexpr (requires { backend.require_exact_times(); }) {
        if (times == exact_times::required) {
            backend.require_exact_times();
        }
    }
}
}  // namespace detail

}  // namespace pointsman
