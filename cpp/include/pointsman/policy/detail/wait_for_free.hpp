// SPDX-License-Identifier: Apache-2.0
// Waits until a resource is free, within the limits of a submission.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>

#include "pointsman/backend/backend_traits.hpp"
#include "pointsman/base/eventcount.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/policy/detail/resource_set.hpp"
#include "pointsman/submission/submit_options.hpp"
#include "pointsman/trace/wait_scope.hpp"

namespace pointsman::detail {

/// Returns true if every resource that becomes free wakes the waiting threads: the policy's state has
/// `notifies_always`, and the backend does not hold reports back.
template <class Policy>
[[nodiscard]] bool wakes_for_every_resource(const shared_backend<Policy>& backend) {
    using backend_type = typename Policy::backend_type;
    if constexpr (requires { requires Policy::state_type::notifies_always; }) {
        if constexpr (requires(const backend_type& b) { b.reports_lazily(); }) {
            return !backend->reports_lazily();
        } else {
            return !lazy_report_v<backend_type>;
        }
    } else {
        return false;
    }
}

/// Calls `find()` until the nullable handle that it returns is not empty, and returns the handle. Sleeps
/// between the calls; only for short times if not every free resource wakes the thread.
/// **Throws**: `submit_timeout`, `submit_stopped` at the limits that `options` set.
template <class Policy, class Find>
[[nodiscard, gnu::cold, gnu::noinline]] auto wait_for_free(const shared_backend<Policy>& backend,
                                                           const submit_options& options,
                                                           Find find) {
    constexpr clock::duration shortest_pause = std::chrono::microseconds{50};
    constexpr clock::duration longest_pause = std::chrono::milliseconds{5};
    constexpr clock::duration until_woken = std::chrono::hours{1};
    const trace::wait_scope waiting;
    const submit_limit limit{options};
    auto& freed = backend.core()->group->freed();
    const std::stop_callback wake{limit.stop(), [&freed] { freed.notify(); }};
    for (clock::duration pause = shortest_pause;; pause = std::min(2 * pause, longest_pause)) {
        eventcount::waiter waiter{freed};  // before `find()`: later notifications are not lost
        if (auto handle = find()) {
            return handle;
        }
        waiter.wait_for(limit.pause(wakes_for_every_resource(backend) ? until_woken : pause));
    }
}

}  // namespace pointsman::detail
