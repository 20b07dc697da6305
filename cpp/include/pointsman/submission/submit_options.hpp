// SPDX-License-Identifier: Apache-2.0
// Limits how long a submission waits for a free resource, and lets a stop token end the wait.
#pragma once

#include <algorithm>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"

namespace pointsman {

/// Limits of one `submit`: they apply to the wait for a free resource, not to the work.
/// **Example**: `submit(p, submit_options{.timeout = 10ms, .stop = token}, f, args...);`
struct submit_options {
    /// If no resource becomes free within this time, `submit` throws `submit_timeout`; zero tries once.
    /// Empty: no limit.
    std::optional<clock::duration> timeout{};
    /// If a stop is requested while no resource is free, `submit` throws `submit_stopped`.
    std::stop_token stop{};
};

namespace detail {
template <class T>
inline constexpr bool is_submit_options_v = std::is_same_v<std::remove_cvref_t<T>, submit_options>;

/// The limits of a wait that begins when this object is constructed.
class submit_limit {
  public:
    /// **Throws**: `invalid_option` for a negative timeout.
    static void check(const submit_options& options) {
        if (options.timeout && *options.timeout < clock::duration::zero()) {
            throw invalid_option{"timeout is " + std::to_string(options.timeout->count()) +
                                 " ns: pass zero, which tries once, or a positive duration"};
        }
    }

    /// **Throws**: as `check`.
    explicit submit_limit(const submit_options& options) : options_{options} {
        check(options);
        if (!options.timeout) {
            return;
        }
        const auto now = clock::now();
        if (*options.timeout < clock::time_point::max() - now) {
            deadline_ = now + *options.timeout;
        }
    }

    /// Returns how long to sleep: `wanted`, or the time left if that is shorter.
    /// **Throws**: `submit_stopped`, `submit_timeout` if the wait must end.
    [[nodiscard]] clock::duration pause(clock::duration wanted) const {
        if (options_.stop.stop_requested()) {
            throw submit_stopped{};
        }
        if (!deadline_) {
            return wanted;
        }
        const auto left = *deadline_ - clock::now();
        if (left <= clock::duration::zero()) {
            throw submit_timeout{*options_.timeout};
        }
        return std::min(wanted, left);
    }

    [[nodiscard]] const std::stop_token& stop() const noexcept { return options_.stop; }

  private:
    const submit_options& options_;
    std::optional<clock::time_point> deadline_;
};
}  // namespace detail

}  // namespace pointsman
