// SPDX-License-Identifier: Apache-2.0
// Submissions of each completion kind account for the completion exactly once, whoever notices it.
#include "pointsman/submission/default_submission.hpp"

#include <gtest/gtest.h>

#include <any>
#include <memory>
#include <thread>

#include "support/eventually.hpp"
#include "support/manual_work.hpp"

namespace {

using pointsman::completion;
using pointsman::default_submission;
using pointsman::detail::make_ref;
using pointsman::detail::ref;
using pointsman::detail::submission_group_state;
using pointsman::detail::watched_work;
using pointsman::test::eventually;
namespace t = pointsman::test;

TEST(Submission, requires_wait_and_unwrap) {
    struct only_waits {
        void wait();
    };
    EXPECT_TRUE(pointsman::submission<default_submission<t::calling_work>>);
    EXPECT_TRUE(pointsman::submission<default_submission<int>>);
    EXPECT_TRUE(pointsman::submission<default_submission<void>>);
    EXPECT_FALSE(pointsman::submission<only_waits>);
    EXPECT_FALSE(pointsman::submission<int>);
}

/// Counts how often the completion was accounted for, as a failure, or without having been seen.
struct ledger {
    std::atomic<int> entries{0};
    std::atomic<int> failures{0};
    std::atomic<int> unseen{0};
};

template <class T>
class audited_work final : public watched_work<T> {
  public:
    audited_work(T work, submission_group_state& group, std::shared_ptr<ledger> book)
        : watched_work<T>{[&] { return std::move(work); }, group}, book_{std::move(book)} {}

  protected:
    void account(const completion* end) noexcept override {
        ++book_->entries;
        book_->unseen += end == nullptr ? 1 : 0;
        book_->failures += end != nullptr && !end->succeeded ? 1 : 0;
    }

  private:
    std::shared_ptr<ledger> book_;
};

template <class T>
struct Submission : ::testing::Test {
    default_submission<T> submit() {
        auto watched = make_ref<audited_work<T>>(work, *group, book);
        watched->watch(nullptr);
        return default_submission<T>{ref<watched_work<T>>{std::move(watched)}};
    }
    T work;
    std::shared_ptr<ledger> book = std::make_shared<ledger>();
    ref<submission_group_state> group = make_ref<submission_group_state>();
};

using AllKinds = ::testing::Types<t::calling_work, t::polled_work, t::waited_work>;
template <class T>
struct SubmissionOfEachKind : Submission<T> {};
TYPED_TEST_SUITE(SubmissionOfEachKind, AllKinds);

TYPED_TEST(SubmissionOfEachKind, is_accounted_for_once_when_waited) {
    auto s = this->submit();
    this->work.succeed();
    s.wait();
    s.wait();
    EXPECT_EQ(this->book->entries, 1);
    EXPECT_EQ(this->book->failures, 0);
}

TYPED_TEST(SubmissionOfEachKind, throws_the_error_of_failed_work_and_counts_a_failure) {
    auto s = this->submit();
    this->work.fail();
    EXPECT_THROW(s.wait(), std::runtime_error);
    EXPECT_EQ(this->book->entries, 1);
    EXPECT_EQ(this->book->failures, 1);
}

TYPED_TEST(SubmissionOfEachKind, returns_the_waitable_itself) {
    auto s = this->submit();
    EXPECT_EQ(s.unwrap().state, this->work.state);
    this->work.succeed();
}

TYPED_TEST(SubmissionOfEachKind, completes_once_while_many_threads_wait) {
    auto s = this->submit();
    std::vector<std::jthread> threads;
    for (int i = 0; i < 7; ++i) {
        threads.emplace_back([&] { s.wait(); });
    }
    this->work.succeed();
    threads.clear();
    EXPECT_EQ(this->book->entries, 1);
}

TYPED_TEST(SubmissionOfEachKind, is_waited_for_by_the_group) {
    auto s = this->submit();
    this->work.succeed();
    this->group->wait();
    EXPECT_EQ(this->book->entries, 1);
}

using SeenByOthers = ::testing::Types<t::calling_work, t::polled_work>;
template <class T>
struct SubmissionSeenByOthers : Submission<T> {};
TYPED_TEST_SUITE(SubmissionSeenByOthers, SeenByOthers);

TYPED_TEST(SubmissionSeenByOthers, is_accounted_for_without_a_wait) {
    static_cast<void>(this->submit());
    EXPECT_EQ(this->book->entries, 0) << "the work is still running";
    this->work.succeed();
    EXPECT_TRUE(eventually([&] { return this->book->entries == 1; }));
}

TYPED_TEST(SubmissionSeenByOthers, becomes_ready_without_a_wait) {
    auto s = this->submit();
    EXPECT_FALSE(s.is_ready());
    this->work.succeed();
    EXPECT_TRUE(eventually([&] { return s.is_ready(); }));
}

using SubmissionWithOnlyWait = Submission<t::waited_work>;

TEST_F(SubmissionWithOnlyWait, releases_its_load_when_it_is_dropped_but_the_group_still_waits) {
    static_cast<void>(submit());
    EXPECT_EQ(book->entries, 1);
    EXPECT_EQ(book->unseen, 1);
    work.succeed();
    group->wait();
    EXPECT_EQ(work.state->waits(), 1);
    EXPECT_EQ(book->entries, 1);
}

TEST_F(SubmissionWithOnlyWait, is_not_kept_once_it_was_waited_for) {
    auto s = submit();
    work.succeed();
    s.wait();
    group->wait();
    EXPECT_EQ(work.state->waits(), 1);
}

TEST_F(SubmissionWithOnlyWait, does_not_form_a_cycle_with_its_group) {
    std::weak_ptr<t::work_state> observer = work.state;
    static_cast<void>(submit());
    group = make_ref<submission_group_state>();
    work.state.reset();
    EXPECT_TRUE(observer.expired());
}

TEST(SubmissionOfValues, is_complete_at_return) {
    default_submission<std::unique_ptr<int>> s{std::make_unique<int>(4)};
    EXPECT_TRUE(s.is_ready());
    s.wait();
    EXPECT_EQ(*s.unwrap(), 4);
    default_submission<void>{}.wait();
    int x = 1;
    default_submission<int&> r{x};
    EXPECT_EQ(&r.unwrap(), &x);
}

TEST(SubmissionOfValues, does_not_wrap_a_value_in_itself) {
    default_submission<std::vector<std::any>> s{std::vector<std::any>{1, 2}};
    EXPECT_EQ(s.unwrap().size(), 2U);
}

/// Work that may be complete when it is returned, and counts reports of its completion.
struct varying_work {
    bool is_complete;
    int* ends;
    std::unique_ptr<int> value;
    bool is_noted = false;
};

}  // namespace

template <>
struct pointsman::waitable_traits<varying_work> {
    static void wait(varying_work&) {}
    static bool is_ready(varying_work&) { return true; }
    static void note_end(varying_work& work, const pointsman::completion*) noexcept {
        work.is_noted = true;
    }
    static void ended(varying_work& work, const pointsman::completion* end) noexcept {
        EXPECT_TRUE(work.is_noted);
        *work.ends += end != nullptr ? 1 : 100;
    }
    static pointsman::waitable_rung rung(const varying_work& work) noexcept {
        return work.is_complete ? pointsman::waitable_rung::complete_at_return
                                : pointsman::waitable_rung::waited;
    }
};

namespace {

TEST(SubmissionOfVaryingWork, stores_completed_work_without_watching_it) {
    int ends = 0;
    default_submission<varying_work> s{varying_work{true, &ends, std::make_unique<int>(4)}};
    EXPECT_TRUE(s.is_complete_at_return() && s.is_ready() && s.is_over());
    s.wait();
    EXPECT_EQ(*s.returned().value, 4);
    EXPECT_EQ(*s.unwrap().value, 4);
    EXPECT_EQ(ends, 0);
}

TEST(SubmissionOfVaryingWork, notifies_the_work_once_that_its_completion_is_accounted_for) {
    int ends = 0;
    default_submission<varying_work> s{varying_work{false, &ends, {}}};
    EXPECT_FALSE(s.is_complete_at_return() || s.is_over());
    s.wait();
    s.wait();
    EXPECT_TRUE(s.is_over());
    EXPECT_EQ(ends, 1);
}

TEST(SubmissionOfFutures, hands_out_the_future_and_counts_it_as_complete) {
    std::promise<int> promise;
    auto book = std::make_shared<ledger>();
    auto group = make_ref<submission_group_state>();
    auto watched = make_ref<audited_work<std::future<int>>>(promise.get_future(), *group, book);
    watched->watch(nullptr);
    default_submission<std::future<int>> s{ref<watched_work<std::future<int>>>{std::move(watched)}};
    auto future = s.unwrap();
    EXPECT_EQ(book->entries, 1);
    EXPECT_EQ(book->unseen, 1);
    promise.set_value(9);
    EXPECT_EQ(future.get(), 9);
    group->wait();
}

}  // namespace
