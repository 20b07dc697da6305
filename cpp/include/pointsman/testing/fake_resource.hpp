// SPDX-License-Identifier: Apache-2.0
// A resource whose work ends when a test says so, and that fails, hangs, slows down or dies by a script.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/submission/completion.hpp"
#include "pointsman/submission/waitable.hpp"
#include "pointsman/testing/faults.hpp"
#include "pointsman/testing/manual_clock.hpp"

namespace pointsman::testing {

/// Work that a `fake_resource` has started. Copies refer to the same work.
/// **Thread safety**: any thread.
class fake_work {
  public:
    /// Blocks until the work has ended. **Throws**: its error.
    void wait() const {
        std::unique_lock lock{state_->mutex};
        state_->ended.wait(lock, [this] { return state_->end.has_value(); });
        if (state_->error) {
            std::rethrow_exception(state_->error);
        }
    }
    [[nodiscard]] bool is_ready() const {
        const std::lock_guard lock{state_->mutex};
        return state_->end.has_value();
    }
    void on_completion(completion_callback callback) const {
        {
            const std::lock_guard lock{state_->mutex};
            if (!state_->end) {
                state_->callbacks.push_back(callback);
                return;
            }
        }
        callback(*state_->end);
    }
    /// When and how the work ended; only once `is_ready()`.
    [[nodiscard]] completion outcome() const { return *state_->end; }

    friend bool operator==(const fake_work&, const fake_work&) = default;

  private:
    friend class fake_resource;

    struct state {
        std::mutex mutex;
        std::condition_variable ended;
        std::optional<completion> end;
        std::exception_ptr error;
        std::vector<completion_callback> callbacks;
    };

    /// Ends the work; further calls have no effect.
    void end(clock::time_point when, const std::exception_ptr& error) const {
        std::vector<completion_callback> callbacks;
        {
            const std::lock_guard lock{state_->mutex};
            if (state_->end) {
                return;
            }
            state_->end = completion{.end = when, .succeeded = !error};
            state_->error = error;
            callbacks.swap(state_->callbacks);
        }
        state_->ended.notify_all();
        for (const completion_callback& each : callbacks) {
            each(*state_->end);
        }
    }

    std::shared_ptr<state> state_ = std::make_shared<state>();
};

/// Runs nothing: the test ends its work, the oldest first, or work with a duration ends when the clock has
/// advanced far enough. Copies are the same resource.
///
/// The script says what happens to the pieces of work, one after the other: `works`, `fails`, `hangs`, `slows`, `dies`.
/// After the script the resource works. Policies that measure learn the durations on the manual clock.
///
/// **Throws**: at construction `invalid_option` for a count of 0 or a factor that is not positive.
/// **Thread safety**: any thread.
/// **Example**:
///
///     testing::fake_resource fragile{"fragile", {testing::works{2}, testing::dies{lost{}}}};
///     testing::fake_resource sound{"sound"};
///     recovering_policy policy{round_robin_policy{{fragile, sound}}, {.failure = on_failure::fallback()}};
///     auto submission = policy.submit([](const testing::fake_resource& r) { return r.start(); });
///     fragile.finish();
class fake_resource {
  public:
    explicit fake_resource(std::string name, std::vector<fault> script = {})
        : fake_resource{std::move(name), std::nullopt, std::move(script)} {}
    fake_resource(std::string name, manual_clock time, std::vector<fault> script = {})
        : fake_resource{std::move(name), std::optional{std::move(time)}, std::move(script)} {}

    [[nodiscard]] const std::string& name() const noexcept { return state_->name; }

    /// Starts work that the test ends by `finish` or `fail`.
    /// **Throws**: the error of the script if the resource has died; `invalid_option` if it slows work down,
    /// which then needs a duration.
    fake_work start() const {
        const step now = next();
        if (now.factor != 1) {
            throw invalid_option{name() + " slows work down: start it with a duration"};
        }
        fake_work work;
        if (now.error) {
            work.end(clock::now(), now.error);
        } else {
            add(work);
        }
        return work;
    }

    /// Starts work that takes so long on the clock, counted from the end of the work before it.
    /// **Throws**: `invalid_option` if the resource has no clock; else as above.
    fake_work start(clock::duration duration) const {
        if (!state_->time) {
            throw invalid_option{name() + " has no clock: make it with a manual_clock"};
        }
        const step now = next();
        fake_work work;
        add(work);
        if (now.is_hanging) {
            return work;
        }
        const auto start = clock::now();
        const clock::duration begun = state_->time->now();
        const clock::duration end = occupy(begun, now.factor * duration);
        state_->time->call_at(end, [self = *this, work, start, begun, end, error = now.error] {
            self.remove(work);
            work.end(start + (end - begun), error);
        });
        return work;
    }

    /// Ends the oldest outstanding work.
    /// **Throws**: `invalid_option` if there is none.
    void finish() const { take_oldest().end(clock::now(), nullptr); }
    /// Ends the oldest outstanding work with `error`. **Throws**: as above.
    template <std::derived_from<std::exception> Error>
    void fail(Error error) const {
        take_oldest().end(clock::now(), std::make_exception_ptr(std::move(error)));
    }

    /// Ends the script: the resource works from now on.
    void revive() const {
        const std::lock_guard lock{state_->mutex};
        state_->script.clear();
    }

    /// The number of pieces of work that have started and not ended.
    [[nodiscard]] std::size_t outstanding() const {
        const std::lock_guard lock{state_->mutex};
        return state_->outstanding.size();
    }

    friend bool operator==(const fake_resource&, const fake_resource&) = default;
    friend std::ostream& operator<<(std::ostream& out, const fake_resource& printed) {
        return out << printed.name();
    }

  private:
    struct state {
        std::string name;
        std::optional<manual_clock> time;
        std::mutex mutex;
        std::deque<fault> script;
        std::deque<fake_work> outstanding;
        clock::duration free_at{};
    };
    /// What happens to one piece of work.
    struct step {
        std::exception_ptr error{};
        double factor = 1;
        bool is_hanging = false;
    };

    fake_resource(std::string name, std::optional<manual_clock> time, std::vector<fault> script)
        : state_{std::make_shared<state>()} {
        for (const fault& each : script) {
            std::visit([](const auto& known) { check(known); }, each);
        }
        state_->name = std::move(name);
        state_->time = std::move(time);
        state_->script.assign(script.begin(), script.end());
    }

    template <class Fault>
    static void check(const Fault& known) {
        if constexpr (requires { known.count; }) {
            if (known.count == 0) {
                throw invalid_option{"count is 0 in a step of the script: pass 1 or more"};
            }
        }
        if constexpr (requires { known.factor; }) {
            if (!(known.factor > 0 && std::isfinite(known.factor))) {
                throw invalid_option{"factor is " + std::to_string(known.factor) +
                                     ": pass a positive number"};
            }
        }
    }

    /// Takes the next step of the script. **Throws**: the error of `dies`.
    [[nodiscard]] step next() const {
        const std::lock_guard lock{state_->mutex};
        if (state_->script.empty()) {
            return {};
        }
        fault& first = state_->script.front();
        step taken;
        if (const auto* const death = std::get_if<dies>(&first)) {
            std::rethrow_exception(death->error);
        }
        if (const auto* const failure = std::get_if<fails>(&first)) {
            taken.error = failure->error;
        } else if (const auto* const slowdown = std::get_if<slows>(&first)) {
            taken.factor = slowdown->factor;
        } else {
            taken.is_hanging = std::holds_alternative<hangs>(first);
        }
        const bool is_used_up = std::visit(
            [](auto& known) {
                if constexpr (requires { known.count; }) {
                    return --known.count == 0;
                } else {
                    return false;
                }
            },
            first);
        if (is_used_up) {
            state_->script.pop_front();
        }
        return taken;
    }

    /// Returns when work ends that begins at `begun`, or after the work before it.
    [[nodiscard]] clock::duration occupy(clock::duration begun,
                                         std::chrono::duration<double, std::nano> length) const {
        const std::lock_guard lock{state_->mutex};
        state_->free_at =
            std::max(begun, state_->free_at) + std::chrono::duration_cast<clock::duration>(length);
        return state_->free_at;
    }

    void add(const fake_work& work) const {
        const std::lock_guard lock{state_->mutex};
        state_->outstanding.push_back(work);
    }
    void remove(const fake_work& work) const {
        const std::lock_guard lock{state_->mutex};
        std::erase(state_->outstanding, work);
    }
    [[nodiscard]] fake_work take_oldest() const {
        const std::lock_guard lock{state_->mutex};
        if (state_->outstanding.empty()) {
            throw invalid_option{state_->name + " has no outstanding work: start some first"};
        }
        fake_work oldest = std::move(state_->outstanding.front());
        state_->outstanding.pop_front();
        return oldest;
    }

    std::shared_ptr<state> state_;
};

static_assert(waitable<fake_work>);

}  // namespace pointsman::testing
