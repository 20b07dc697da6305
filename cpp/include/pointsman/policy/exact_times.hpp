// SPDX-License-Identifier: Apache-2.0
// Whether a policy that learns from times uses resources that only report upper bounds of them.
#pragma once

namespace pointsman {

/// What a policy that measures asks of its resources.
///
/// With `preferred`, the default, it takes all of them. The time of work whose end may be noticed late (a
/// polled `std::future`, an OpenCL queue without profiling) is an upper bound; it counts, but less than
/// exact ones.
/// With `required` resources that `reports_exact_times` denies are left out when the policy is
/// initialised. Use it where unlike resources are compared closely.
/// Source: *Resource filtering* in the custom backends document.
enum class exact_times { preferred, required };

namespace detail {
/// Has a backend leave out resources without exact times where they are required. A user-defined backend
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
