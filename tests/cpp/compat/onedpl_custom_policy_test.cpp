// SPDX-License-Identifier: Apache-2.0
// User-defined policies that derive from oneDPL's policy_base.
#include <oneapi/dpl/dynamic_selection>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "return_resource.hpp"

namespace {

namespace ex = oneapi::dpl::experimental;

/// Takes the last resource first. Its hooks are protected.
template <class Resource, class ResourceAdapter = oneapi::dpl::identity,
          class Backend = ex::default_backend<Resource, ResourceAdapter>>
class backwards_policy
    : public ex::policy_base<backwards_policy<Resource, ResourceAdapter, Backend>, ResourceAdapter,
                             Backend> {
  protected:
    using base_t = ex::policy_base<backwards_policy, ResourceAdapter, Backend>;
    friend base_t;
    using typename base_t::selection_type;

    struct state {
        std::vector<Resource> resources;
        std::size_t left = 0;
    };
    std::shared_ptr<state> state_;

    void initialize_state(std::size_t skip = 0) {
        if (!state_) {
            state_ = std::make_shared<state>();
        }
        state_->resources = base_t::get_resources();
        state_->left = state_->resources.size() - skip;
    }

    template <class... Args>
    std::optional<selection_type> try_select(Args&&...) {
        if (!state_ || state_->left == 0) {
            return std::nullopt;
        }
        return std::make_optional<selection_type>(*this, state_->resources[--state_->left]);
    }

  public:
    using backend_type = Backend;
    using resource_type = typename base_t::resource_type;

    backwards_policy() { base_t::initialize(); }
    backwards_policy(ex::deferred_initialization_t) {}
    backwards_policy(const std::vector<Resource>& resources, ResourceAdapter adapter = {}) {
        base_t::initialize(resources, adapter);
    }
};

TEST(OneDplPolicyBase, calls_try_select_for_each_submission) {
    backwards_policy<int> policy{std::vector<int>{1, 2, 3}};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 3);
    EXPECT_EQ(ex::unwrap(*ex::try_submit(policy, return_resource)), 2);
    int seen = 0;
    ex::submit_and_wait(policy, [&](int resource) { seen = resource; });
    EXPECT_EQ(seen, 1);
    EXPECT_FALSE(ex::try_submit(policy, return_resource).has_value());
    ex::wait(ex::get_submission_group(policy));
}

TEST(OneDplPolicyBase, passes_further_arguments_of_initialize_to_initialize_state) {
    backwards_policy<int> policy{ex::deferred_initialization};
    EXPECT_THROW(ex::get_resources(policy), std::logic_error);
    policy.initialize({1, 2, 3}, oneapi::dpl::identity{}, std::size_t{1});
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 2);
}

TEST(OneDplPolicyBase, has_no_resources_if_the_type_has_no_default_set) {
    backwards_policy<int> policy;
    EXPECT_TRUE(ex::get_resources(policy).empty());
    EXPECT_FALSE(ex::try_submit(policy, return_resource).has_value());
}

TEST(OneDplPolicyBase, lets_a_selection_outlive_the_policy_object) {
    auto policy = std::make_unique<backwards_policy<int>>(std::vector<int>{1, 2});
    auto selection = ex::select(*policy, return_resource);
    auto other = selection;
    policy.reset();
    EXPECT_EQ(ex::unwrap(ex::submit(selection, return_resource)), 2);
    EXPECT_EQ(ex::unwrap(other.get_policy().submit(return_resource)), 1);
}

/// Its rule finds no resource on every second attempt; its selections name no resource.
class moody_policy
    : public ex::policy_base<moody_policy, oneapi::dpl::identity, ex::default_backend<int>> {
    friend class ex::policy_base<moody_policy, oneapi::dpl::identity, ex::default_backend<int>>;
    std::shared_ptr<std::atomic<int>> attempts_;

  protected:
    template <class... Args>
    std::optional<selection_type> try_select(Args&&...) {
        if (attempts_->fetch_add(1) % 2 == 0) {
            return {};
        }
        return std::make_optional<selection_type>(*this);
    }
    void initialize_state() { attempts_ = std::make_shared<std::atomic<int>>(0); }

  public:
    using resource_type = int;
    moody_policy() { initialize(); }
    int attempts() const { return attempts_->load(); }
};

TEST(OneDplPolicyBase, retries_until_a_resource_is_free) {
    moody_policy policy;
    EXPECT_FALSE(ex::try_submit(policy, return_resource).has_value());
    EXPECT_TRUE(ex::try_submit(policy, return_resource).has_value());
    ex::submit(policy, return_resource).wait();
    EXPECT_EQ(policy.attempts(), 4);
}

/// Counts the reports that a policy receives about its tasks.
struct received_reports {
    int submissions = 0;
    int completions = 0;
    int times = 0;
};

template <class Policy>
class listening_selection {
    Policy policy_;
    int resource_;

  public:
    using scratch_space_t =
        typename ex::backend_traits<typename Policy::backend_type>::template selection_scratch_t<
            ex::execution_info::task_submission_t, ex::execution_info::task_completion_t,
            ex::execution_info::task_time_t>;
    scratch_space_t scratch_space;

    listening_selection(const Policy& policy, int resource)
        : policy_(policy), resource_(resource) {}
    auto unwrap() { return ex::unwrap(resource_); }
    Policy get_policy() { return policy_; }
    void report(const ex::execution_info::task_submission_t&) const {
        ++policy_.received_->submissions;
    }
    void report(const ex::execution_info::task_completion_t&) const {
        ++policy_.received_->completions;
    }
    void report(const ex::execution_info::task_time_t&, std::chrono::milliseconds time) const {
        policy_.received_->times += time >= std::chrono::milliseconds::zero() ? 1 : 0;
    }
};

class listening_policy
    : public ex::policy_base<listening_policy, oneapi::dpl::identity, ex::default_backend<int>,
                             ex::execution_info::task_submission_t,
                             ex::execution_info::task_completion_t,
                             ex::execution_info::task_time_t> {
  public:
    using selection_type = listening_selection<listening_policy>;

    explicit listening_policy(const std::vector<int>& resources) { initialize(resources); }
    void initialize_state() {}
    template <class... Args>
    std::optional<selection_type> try_select(Args&&...) {
        return selection_type{*this, get_resources().front()};
    }

    std::shared_ptr<received_reports> received_ = std::make_shared<received_reports>();
};

TEST(OneDplPolicyBase, receives_times_in_milliseconds_from_the_default_backend) {
    listening_policy policy{{5}};
    EXPECT_EQ(ex::unwrap(ex::submit(policy, return_resource)), 5);
    EXPECT_EQ(policy.received_->submissions, 1);
    EXPECT_EQ(policy.received_->completions, 1);
    EXPECT_EQ(policy.received_->times, 1);
}

TEST(OneDplPolicyBase, submits_to_a_selection_of_a_user_defined_type) {
    listening_policy policy{{5}};
    auto selection = *policy.try_select(return_resource);
    EXPECT_EQ(ex::unwrap(ex::submit(selection, return_resource)), 5);
    EXPECT_EQ(policy.received_->completions, 1);
}

}  // namespace
