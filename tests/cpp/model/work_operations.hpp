// SPDX-License-Identifier: Apache-2.0
// Random operations on submissions and on their work.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>
#include <variant>

#include "model/reference_model.hpp"
#include "model/walk_state.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "support/manual_work.hpp"

namespace pointsman::test {

/// Submits tasks in each possible way, completes them, waits for them and drops them.
template <class Kind>
class work_operations {
    using state_type = walk_state<Kind>;
    using held_policy = typename state_type::held_policy;
    using held_work = typename state_type::held_work;

  public:
    explicit work_operations(state_type& state) : state_{state} { stop_.request_stop(); }

    void submit() {
        held_policy* const chosen = state_.ready_policy();
        if (chosen == nullptr) {
            return;
        }
        const auto record = std::make_shared<task_record>();
        record->kind = static_cast<task_kind>(state_.chance(5));
        record->fails = record->kind == task_kind::throwing ||
                        (record->kind != task_kind::value && state_.chance(4) == 0);
        record->set = chosen->expected->current;
        record->policy = chosen->expected;
        switch (record->kind) {
            case task_kind::value:
            case task_kind::throwing:
                submit_value(*chosen, record);
                break;
            case task_kind::calling:
                submit_work<calling_work>(*chosen, record);
                break;
            case task_kind::polled:
                submit_work<polled_work>(*chosen, record);
                break;
            case task_kind::waited:
                submit_work<waited_work>(*chosen, record);
                break;
        }
    }

    void end_any() {
        if (held_work* const one = state_.any_of(state_.works);
            one != nullptr && !one->record->has_ended) {
            end(*one);
        }
    }
    static void end(held_work& one) {
        one.record->fails ? one.handle.fail() : one.handle.succeed();
        one.record->end();
    }
    void end_everything() {
        for (held_work& one : state_.works) {
            if (!one.record->has_ended) {
                end(one);
            }
        }
    }
    void wait_for_any() {
        held_work* const one = state_.any_of(state_.works);
        if (one == nullptr || !one->record->has_ended) {
            return;
        }
        std::visit(
            [&](auto& submission) {
                if constexpr (requires { submission.wait(); }) {
                    wait_for(submission, *one->record);
                }
            },
            one->submission);
    }
    template <class Submission>
    static void wait_for(Submission& submission, task_record& record) {
        if (record.kind != task_kind::waited) {
            EXPECT_TRUE(submission.is_ready());
            record.see();
        }
        bool has_thrown = false;
        try {
            submission.wait();
        } catch (const std::runtime_error&) {
            has_thrown = true;
        }
        EXPECT_EQ(has_thrown, record.fails);
        record.see();
        EXPECT_TRUE(submission.is_ready());
    }
    void drop_submission() {
        if (held_work* const one = state_.any_of(state_.works)) {
            one->record->drop();
            one->submission = {};
            if (one->record->is_accounted && one->record->has_ended) {
                state_.erase(state_.works, one);
            }
        }
    }
    void wait_for_group() {
        held_policy* const one = state_.ready_policy();
        if (one == nullptr) {
            return;
        }
        for (held_work& work : state_.works) {
            if (work.record->policy == one->expected && !work.record->has_ended) {
                end(work);
            }
        }
        one->object.get_submission_group().wait();
        for (held_work& work : state_.works) {
            if (work.record->policy == one->expected) {
                work.record->see();
            }
        }
    }

  private:
    void submit_value(held_policy& chosen, const std::shared_ptr<task_record>& record) {
        bool has_thrown = false;
        bool is_placed = false;
        try {
            is_placed = state_.is_full(chosen) == std::optional{false} && state_.chance(4) == 0
                            ? submit_and_wait(chosen, recorded_value{record.get()})
                            : try_submit(chosen, recorded_value{record.get()}).has_value();
        } catch (const recorded_value::its_own_error&) {
            has_thrown = true;
        } catch (const std::bad_alloc&) {
            chosen.expected->knows_turns = false;
            EXPECT_LE(record->calls, 1);
            return;
        }
        EXPECT_EQ(record->calls, has_thrown || is_placed ? 1 : 0);
        EXPECT_EQ(has_thrown, record->fails && record->calls == 1);
        state_.expect_choice(chosen, *record);
    }

    template <class Work>
    void submit_work(held_policy& chosen, const std::shared_ptr<task_record>& record) {
        manual_handle handle;
        std::optional<typename state_type::template submission_of<Work>> made;
        state_.works.reserve(state_.works.size() + 1);
        try {
            made = try_submit(chosen, recorded_task<Work>{record.get(), handle});
        } catch (const std::bad_alloc&) {
            chosen.expected->knows_turns = false;
            EXPECT_LE(record->calls, 1);
            handle.succeed();
            return;
        }
        EXPECT_EQ(record->calls, made ? 1 : 0);
        state_.expect_choice(chosen, *record);
        if (made) {
            record->set->add(record->ran_on.index);
            state_.works.push_back({record, handle, std::move(*made)});
        }
    }

    bool submit_and_wait(held_policy& chosen, recorded_value f) {
        const auto failure = state_.fail_now_and_then();
        chosen.object.submit_and_wait(f);
        return true;
    }

    /// Submits in one of the possible ways; returns an empty optional if no resource is free.
    template <class F>
    auto try_submit(held_policy& chosen, F f) {
        using result = std::optional<decltype(chosen.object.submit(f))>;
        const auto full = state_.is_full(chosen);
        const auto failure = state_.fail_now_and_then();
        result made;
        const std::size_t way = state_.chance(full == std::optional{false} ? 4 : 3);
        try {
            if (way == 0) {
                made = chosen.object.try_submit(f);
            } else if (way == 1) {
                made.emplace(
                    chosen.object.submit(submit_options{.timeout = clock::duration{0}}, f));
            } else if (way == 2) {
                made.emplace(chosen.object.submit(submit_options{.stop = stop_.get_token()}, f));
            } else {
                made.emplace(chosen.object.submit(f));
            }
        } catch (const submit_timeout&) {
        } catch (const submit_stopped&) {
        }
        if (full) {
            EXPECT_EQ(made.has_value(), !*full);
        }
        return made;
    }

    state_type& state_;
    std::stop_source stop_;
};

}  // namespace pointsman::test
