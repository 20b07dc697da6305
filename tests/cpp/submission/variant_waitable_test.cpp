// SPDX-License-Identifier: Apache-2.0
// A variant of waitables behaves like its active alternative.
#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <string>

#include "pointsman/info/wait.hpp"
#include "pointsman/submission/variant_waitable.hpp"

namespace pointsman::test {
namespace {

/// Completed work that reports its outcome.
struct finished {
    completion end{};
    void wait() {}
    bool is_ready() { return true; }
    void on_completion(completion_callback callback) { callback(end); }
    completion outcome() { return end; }
};

/// Work that can only be waited for.
struct waited {
    int* waits = nullptr;
    void wait() { ++*waits; }
};

using with_outcome = std::variant<finished, int>;
using mixed = std::variant<finished, waited, std::future<int>, std::string>;
using traits = waitable_traits<mixed>;

static_assert(waitable<with_outcome> && waitable<mixed>);
static_assert(!waitable<std::variant<int, std::string>>);
static_assert(detail::tells_outcome<with_outcome>);
static_assert(!detail::tells_outcome<mixed>, "a future does not report its outcome");

TEST(VariantWaitable, has_the_completion_kind_of_its_alternative) {
    EXPECT_EQ(rung_of(mixed{finished{}}), waitable_rung::calls_back);
    EXPECT_EQ(rung_of(mixed{std::promise<int>{}.get_future()}), waitable_rung::polled);
    EXPECT_EQ(rung_of(mixed{waited{}}), waitable_rung::waited);
    EXPECT_EQ(rung_of(mixed{std::string{"value"}}), waitable_rung::complete_at_return);
}

TEST(VariantWaitable, waits_for_its_alternative) {
    int waits = 0;
    mixed work{waited{&waits}};
    traits::wait(work);
    EXPECT_EQ(waits, 1);
    mixed value{std::string{"value"}};
    traits::wait(value);
    EXPECT_EQ(waits, 1);
}

TEST(VariantWaitable, is_waited_for_by_the_free_function) {
    int waits = 0;
    mixed work{waited{&waits}};
    pointsman::wait(work);
    pointsman::wait(mixed{waited{&waits}});
    EXPECT_EQ(waits, 2);
}

TEST(VariantWaitable, calls_back_with_the_outcome_of_its_alternative) {
    const completion failed{clock::time_point{std::chrono::seconds{7}}, false, true};
    mixed work{finished{failed}};
    completion reported{};
    traits::on_completion(work, {[](void* to, const completion& end) noexcept {
                                     *static_cast<completion*>(to) = end;
                                 },
                                 &reported});
    EXPECT_EQ(reported.end, failed.end);
    EXPECT_FALSE(reported.succeeded);

    with_outcome other{finished{failed}};
    EXPECT_FALSE(waitable_traits<with_outcome>::outcome(other).succeeded);
    EXPECT_TRUE(waitable_traits<with_outcome>::is_ready(other));
}

TEST(VariantWaitable, polls_its_alternative) {
    std::promise<int> promise;
    mixed work{promise.get_future()};
    EXPECT_FALSE(traits::is_ready(work));
    promise.set_value(1);
    EXPECT_TRUE(traits::is_ready(work));
}

TEST(VariantWaitable, refuses_operations_that_its_completion_kind_excludes) {
    int waits = 0;
    mixed work{waited{&waits}};
    EXPECT_THROW(static_cast<void>(traits::is_ready(work)), std::logic_error);
    EXPECT_THROW(traits::on_completion(work, {}), std::logic_error);
}

}  // namespace
}  // namespace pointsman::test
