// SPDX-License-Identifier: Apache-2.0
// Entirely user-defined policies under oneDPL's free functions.
#include <oneapi/dpl/dynamic_selection>

#include <gtest/gtest.h>

#include <optional>
#include <type_traits>
#include <vector>

namespace {

namespace ex = oneapi::dpl::experimental;

struct submission {
    int* waits;
    void wait() { ++*waits; }
    int unwrap() { return 1; }
};

/// Each of these policies has one way to submit and does not list its resources.
struct trying_policy {
    using resource_type = int;
    int* waits;
    int attempts = 0;

    template <class F, class... Args>
    std::optional<submission> try_submit(F&& f, Args&&... args) {
        if (++attempts % 2 == 1) {
            return {};
        }
        f(1, args...);
        return submission{waits};
    }
};

struct submitting_policy final {
    using resource_type = int;
    int* waits;

    template <class F, class... Args>
    submission submit(F&& f, Args&&... args) {
        f(1, args...);
        return {waits};
    }
};

struct waiting_policy {
    using resource_type = int;
    int submissions = 0;

    template <class F, class... Args>
    void submit_and_wait(F&&, Args&&...) {
        ++submissions;
    }
};

struct whole_policy {
    using resource_type = int;
    using wait_type = int;
    struct group {
        void wait() {}
    };

    std::vector<int> get_resources() const { return {1}; }
    group get_submission_group() { return {}; }
};

TEST(OneDplOwnPolicy, gets_submit_from_try_submit) {
    int waits = 0;
    int seen = 0;
    trying_policy policy{&waits};
    auto note = [&](int resource, int more) { seen = resource + more; };
    EXPECT_FALSE(ex::try_submit(policy, note, 1).has_value());
    ex::wait(ex::submit(policy, note, 1));
    EXPECT_EQ(seen, 2);
    ex::submit_and_wait(policy, note, 5);
    EXPECT_EQ(seen, 6);
    EXPECT_EQ(waits, 2);
}

TEST(OneDplOwnPolicy, gets_submit_and_wait_from_submit) {
    int waits = 0;
    submitting_policy policy{&waits};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, [](int) {})), 1);
    ex::submit_and_wait(policy, [](int) {});
    EXPECT_EQ(waits, 1);
}

/// Selects, and submits only to a selection.
struct selecting_policy {
    using resource_type = int;
    struct selection {
        selecting_policy* chosen_by;
        int unwrap() const { return 3; }
        selecting_policy& get_policy() const { return *chosen_by; }
    };
    int* waits;

    template <class... Args>
    selection select(Args&&...) {
        return {this};
    }
    template <class F, class... Args>
    submission submit(selection chosen, F&& f, Args&&... args) {
        f(chosen.unwrap(), args...);
        return {waits};
    }
};

TEST(OneDplOwnPolicy, gets_submit_from_select_and_submit_to_a_selection) {
    int waits = 0;
    int seen = 0;
    selecting_policy policy{&waits};
    auto note = [&](int resource, int more) { seen = resource + more; };
    ex::submit(policy, note, 1);
    EXPECT_EQ(seen, 4);
    ex::submit_and_wait(policy, note, 2);
    EXPECT_EQ(seen, 5);
    EXPECT_EQ(waits, 1);
    ex::submit_and_wait(ex::select(policy, note, 3), note, 3);
    EXPECT_EQ(seen, 6);
    EXPECT_EQ(waits, 2);
}

TEST(OneDplOwnPolicy, may_offer_only_submit_and_wait) {
    waiting_policy policy;
    ex::submit_and_wait(policy, [](int) {});
    EXPECT_EQ(policy.submissions, 1);
}

TEST(OneDplOwnPolicy, shows_its_resources_group_and_wait_type) {
    whole_policy policy;
    EXPECT_EQ(ex::get_resources(policy), std::vector<int>{1});
    ex::wait(ex::get_submission_group(policy));
    static_assert(std::is_same_v<ex::wait_t<whole_policy>, int>);
    static_assert(std::is_same_v<ex::resource_t<whole_policy>, int>);
    static_assert(std::is_void_v<ex::backend_t<whole_policy>>);
}

/// Many programs bring the names in by a using directive.
TEST(OneDplFunctions, may_be_called_without_naming_their_namespace) {
    using namespace oneapi::dpl::experimental;
    round_robin_policy policy{{3, 4}};
    auto done = submit(policy, [](int resource) { return resource; });
    wait(done);
    EXPECT_EQ(unwrap(done), 3);
    EXPECT_TRUE(try_submit(policy, [](int) {}).has_value());
    submit_and_wait(policy, [](int) {});
    EXPECT_EQ(get_resources(policy).size(), 2U);
    wait(get_submission_group(policy));
}

}  // namespace
