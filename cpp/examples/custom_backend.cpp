// SPDX-License-Identifier: Apache-2.0
// A backend for user-defined resources, which time their work with their own clock.
#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace info = pointsman::execution_info;

/// Handle of a simulated machine with an in-order queue. Its clock advances when somebody waits, so
/// every number in this program is exact. Some machines have no timer for reading that clock.
class machine {
    struct shared {
        shared(int its_id, bool timer, std::chrono::nanoseconds step)
            : id{its_id}, has_timer{timer}, pace{step} {}
        const int id;
        const bool has_timer;
        const std::chrono::nanoseconds pace;
        std::mutex mutex{};
        std::chrono::nanoseconds now{0};
        std::chrono::nanoseconds busy_until{0};
    };

  public:
    class job {
      public:
        [[nodiscard]] std::chrono::nanoseconds end() const { return end_; }
        [[nodiscard]] bool is_over() const {
            std::lock_guard lock{on_->mutex};
            return on_->now >= end_;
        }
        void wait() const {
            std::lock_guard lock{on_->mutex};
            on_->now = std::max(on_->now, end_);
        }

      private:
        friend machine;
        job(std::shared_ptr<shared> on, std::chrono::nanoseconds end)
            : on_{std::move(on)}, end_{end} {}
        std::shared_ptr<shared> on_;
        std::chrono::nanoseconds end_;
    };

    machine(int id, std::chrono::nanoseconds pace, bool has_timer = true)
        : shared_{std::make_shared<shared>(id, has_timer, pace)} {}

    [[nodiscard]] int id() const { return shared_->id; }
    [[nodiscard]] bool has_timer() const { return shared_->has_timer; }
    [[nodiscard]] std::chrono::nanoseconds now() const {
        std::lock_guard lock{shared_->mutex};
        return shared_->now;
    }
    [[nodiscard]] job start(int steps) const {
        std::lock_guard lock{shared_->mutex};
        shared_->busy_until = std::max(shared_->now, shared_->busy_until) + steps * shared_->pace;
        return {shared_, shared_->busy_until};
    }
    void wait() const {
        std::lock_guard lock{shared_->mutex};
        shared_->now = std::max(shared_->now, shared_->busy_until);
    }

  private:
    std::shared_ptr<shared> shared_;
};

/// The backend of machines and of everything that an adapter turns into one.
template <class Resource, class Adapter>
class pointsman::core_resource_backend<machine, Resource, Adapter>
    : public pointsman::backend_base<Resource> {
    using base = pointsman::backend_base<Resource>;

    template <class... ReportReqs>
    static constexpr bool timed =
        pointsman::contains_reporting_req_v<info::task_time_t, ReportReqs...>;

  public:
    /// What a submitted function must return.
    using wait_type = machine::job;

    /// A selection stores the start of its task if the policy wants times.
    template <class... ReportReqs>
    struct scratch_space_t {
        struct beginning {
            std::chrono::nanoseconds start{0};
        };
        [[no_unique_address]] std::conditional_t<timed<ReportReqs...>, beginning,
                                                 pointsman::no_scratch_t<ReportReqs...>> task{};
    };

    /// **Throws**: `unsatisfied_reporting` when times are needed and no machine has a timer.
    template <class... ReportReqs>
    explicit core_resource_backend(const std::vector<Resource>& resources, Adapter adapter,
                                   ReportReqs...)
        : base{resources}, adapter_{std::move(adapter)} {
        static_assert(
            (pointsman::contains_reporting_req_v<ReportReqs, info::task_submission_t,
                                                 info::task_completion_t, info::task_time_t> &&
             ...),
            "machines report submission, completion and time: use a policy that needs "
            "nothing else");
        if constexpr (timed<ReportReqs...>) {
            std::erase_if(this->resources_, [&](auto& r) { return !adapter_(r).has_timer(); });
            if (this->resources_.empty()) {
                throw pointsman::unsatisfied_reporting{
                    "none of " + std::to_string(resources.size()) +
                    " machines has a timer: add one that has, or use a policy without times"};
            }
        }
    }

    /// Calls `f(resource, args...)`. If it throws, nothing has been reported yet, and the selection
    /// returns its reservation by itself.
    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        static_assert(std::same_as<std::invoke_result_t<F, const Resource&, Args...>, wait_type>,
                      "a function for machines must return the machine::job that it started");
        if constexpr (times<Selection>) {
            selection.scratch_space.task.start = adapter_(pointsman::unwrap(selection)).now();
        }
        wait_type job = std::invoke(std::forward<F>(f), pointsman::unwrap(selection),
                                    std::forward<Args>(args)...);
        std::lock_guard lock{mutex_};
        if constexpr (times<Selection> || completions<Selection>) {
            running_.push_back([job, selection] { return job.is_over() && tell(selection, job); });
        }
        if constexpr (pointsman::report_info_v<Selection, info::task_submission_t>) {
            pointsman::report(selection, info::task_submission);
        }
        return submission{job};
    }

    /// Called by the policy before it selects: machines do not notify anyone when a job ends.
    void lazy_report() {
        std::lock_guard lock{mutex_};
        std::erase_if(running_, [](const auto& reported) { return reported(); });
    }

    /// Waits for every machine, also if the resources are pointers to machines.
    [[nodiscard]] auto get_submission_group() const {
        return pointsman::resource_group{this->resources_, adapter_};
    }

  private:
    template <class Selection>
    static constexpr bool times = pointsman::report_value_v<Selection, info::task_time_t>;
    template <class Selection>
    static constexpr bool completions =
        pointsman::report_info_v<Selection, info::task_completion_t>;

    template <class Selection>
    static bool tell(const Selection& selection, const wait_type& job) {
        if constexpr (times<Selection>) {
            pointsman::report(selection, info::task_time,
                              job.end() - selection.scratch_space.task.start);
        }
        if constexpr (completions<Selection>) {
            pointsman::report(selection, info::task_completion);
        }
        return true;
    }

    struct submission {
        wait_type job;
        void wait() { job.wait(); }
        wait_type unwrap() { return job; }
    };

    Adapter adapter_;
    std::mutex mutex_;
    std::vector<std::function<bool()>> running_;
};

namespace {

bool all_passed = true;

void check(bool passed, const char* what) {
    std::cout << (passed ? "ok: " : "FAILED: ") << what << '\n';
    all_passed = all_passed && passed;
}

const machine slow{0, std::chrono::microseconds{50}};
const machine fast{1, std::chrono::microseconds{10}};
const machine untimed{2, std::chrono::microseconds{1}, false};

void use_the_fastest_that_has_a_timer() {
    pointsman::auto_tune_policy policy{{slow, fast, untimed}};
    check(policy.get_resources().size() == 2, "a machine without a timer is left out");
    int last = -1;
    auto task = [&](const machine& on, int steps) {
        last = on.id();
        return on.start(steps);
    };
    for (int i = 0; i < 4; ++i) {
        policy.submit_and_wait(task, 100);
    }
    bool always_fast = true;
    for (int i = 0; i < 20; ++i) {
        policy.submit_and_wait(task, 100);
        always_fast = always_fast && last == fast.id();
    }
    check(always_fast, "auto_tune_policy finds the fast machine by the machines' own clocks");
}

void refuse_a_set_that_cannot_report() {
    bool refused = false;
    try {
        pointsman::auto_tune_policy policy{{untimed}};
    } catch (const std::runtime_error& error) {
        refused = true;
        std::cout << error.what() << '\n';
    }
    check(refused, "a set without any timer is refused");
}

void take_pointers() {
    machine here = slow;
    machine there = untimed;
    pointsman::dynamic_load_policy policy{{&here, &there}, [](auto* pointer) { return *pointer; }};
    using loads = std::vector<std::size_t>;
    auto task = [](machine* on) { return on->start(100); };

    auto first = pointsman::submit(policy, task);
    auto second = pointsman::submit(policy, task);
    check(policy.loads() == loads{1, 1}, "dynamic_load_policy counts what runs on each machine");

    second.wait();
    auto third = pointsman::submit(policy, task);
    check(policy.loads() == loads{1, 1}, "a completed job is reported at the next selection");

    pointsman::get_submission_group(policy).wait();
    check(first.unwrap().is_over() && third.unwrap().is_over(), "the group waits for the machines");

    try {
        policy.submit([](machine*) -> machine::job { throw std::runtime_error{"on purpose"}; });
    } catch (const std::runtime_error&) {  // of no interest here
    }
    check(policy.loads() == loads{0, 0}, "a function that throws leaves no load behind");
}

}  // namespace

int main() {
    use_the_fastest_that_has_a_timer();
    refuse_a_set_that_cannot_report();
    take_pointers();
    return all_passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
