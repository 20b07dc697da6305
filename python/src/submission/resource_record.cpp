// SPDX-License-Identifier: Apache-2.0
// Chooses which calls are timed, and adds up what was counted by threads and by completions.
#include "submission/resource_record.hpp"

#include <exception>
#include <string>

#include "submission/failure_watch.hpp"

namespace pointsman::python {

namespace {

/// When a call began that has ended just now, at `end`, by the counts of its `instant`.
clock::time_point begin_of(std::uint64_t elapsed, clock::time_point end) noexcept {
    const double nanoseconds = static_cast<double>(elapsed) * instant::nanoseconds_per_count();
    return end - clock::duration{static_cast<clock::rep>(nanoseconds)};
}

}  // namespace

void resource_record::time(part& mine, instant begin) noexcept {
    // Ticks at 2 to 4 GHz, or nanoseconds, and the untimed calls after each timed one that takes less.
    constexpr std::uint64_t short_call = 4096;
    constexpr std::uint64_t after_short = 63;
    constexpr std::uint64_t fairly_short_call = 65536;
    constexpr std::uint64_t after_fairly_short = 7;

    const std::uint64_t elapsed = instant::counts_since(begin);
    const std::uint64_t stands_for = mine.untimed.load(std::memory_order_relaxed) + 1;
    mine.timed.fetch_add(stands_for, std::memory_order_relaxed);
    mine.elapsed.fetch_add(elapsed * stands_for, std::memory_order_relaxed);
    mine.untimed.store(times_all_ || elapsed >= fairly_short_call ? 0
                       : elapsed < short_call                     ? after_short
                                                                  : after_fairly_short,
                       std::memory_order_relaxed);
    const auto end = clock::now();
    times_.called(begin_of(elapsed, end), end, stands_for, true);
}

void resource_record::failed(instant begin) noexcept {
    failed();
    const auto end = clock::now();
    times_.called(begin_of(instant::counts_since(begin), end), end, 1, false);
}

void resource_record::took(std::chrono::nanoseconds elapsed) noexcept {
    count_success(elapsed);
    const auto end = clock::now();
    times_.called(end - elapsed, end, 1, true);
}

void resource_record::ended(divided_time::task_id number, clock::time_point begin,
                            const completion& end, bool is_counted) noexcept {
    times_.ended(number, begin, end.end, end.succeeded && is_counted);
    if (!is_counted) {
        return;
    }
    if (end.succeeded) {
        count_success(end.end - begin);
    } else {
        failed();
    }
}

void resource_record::raised(PyObject* resource, const py::object& error) noexcept {
    const py::error_scope keeps_current_error;
    try {
        const py::object text = py::module_::import("pointsman._health")
                                    .attr("text_of_failure")(error, is_resource_failure_.get());
        if (text.is_none()) {
            return;
        }
        if (const auto written = text.cast<std::string>(); written.empty()) {
            health_.succeeded();
        } else {
            blamed(resource, written, error);
        }
    } catch (py::error_already_set& raised) {
        failure_watch::discard(raised);
    } catch (const std::exception&) {  // no memory for the text
    }
}

void resource_record::blamed(PyObject* resource, const std::string& text, const py::object& error) {
    const auto now = clock::now();
    const health_state before = health_.report(now).state;
    const bool begins = health_.failed(now, text);
    if (before == health_state::quarantined || health_.is_open()) {
        return;
    }
    const auto health = py::module_::import("pointsman._health");
    const py::object lost = health.attr("what_is_lost")(py::handle{resource}, error);
    if (begins) {  // a probe that failed found little to lose
        health_.lost(lost.cast<std::string>());
        health.attr("log_quarantine")(py::handle{resource}, text, lost);
    }
}

resource_record::totals resource_record::read() const noexcept {
    std::uint64_t timed = took_.load(std::memory_order_relaxed);
    std::uint64_t completed = timed;
    std::uint64_t counts = 0;
    for (const part& each : parts_) {
        completed += each.returned.load(std::memory_order_relaxed);
        timed += each.timed.load(std::memory_order_relaxed);
        counts += each.elapsed.load(std::memory_order_relaxed);
    }
    const double elapsed = static_cast<double>(elapsed_.load(std::memory_order_relaxed)) +
                           static_cast<double>(counts) * instant::nanoseconds_per_count();
    return {completed, failed_.load(std::memory_order_relaxed),
            timed == 0 ? std::nullopt : std::optional{elapsed * 1e-9 / static_cast<double>(timed)},
            times_.read(clock::now())};
}

}  // namespace pointsman::python
