// SPDX-License-Identifier: Apache-2.0
// The submission group of a specialised backend waits for the adapted resources.
#include "pointsman/backend/detail/adapted_group.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

/// Each of these types has a specialised backend below.
struct press {
    int* waits;
    void wait() const { ++*waits; }
};
struct loom {
    int* waits;
};

struct dereferenced {
    template <class T>
    T& operator()(T* resource) const {
        return *resource;
    }
    template <class T>
    T& operator()(const std::shared_ptr<T>& resource) const {
        return *resource;
    }
};

}  // namespace

/// Keeps the group of `backend_base`.
template <class Resource, class Adapter>
class pointsman::core_resource_backend<press, Resource, Adapter> : public backend_base<Resource> {
  public:
    template <class... ReportReqs>
    core_resource_backend(const std::vector<Resource>& resources, Adapter, ReportReqs... reqs)
        : backend_base<Resource>{resources, reqs...} {}
};

/// Defines its own group, because a loom has no wait().
template <class Resource, class Adapter>
class pointsman::core_resource_backend<loom, Resource, Adapter> : public backend_base<Resource> {
  public:
    template <class... ReportReqs>
    core_resource_backend(const std::vector<Resource>& resources, Adapter adapter,
                          ReportReqs... reqs)
        : backend_base<Resource>{resources, reqs...}, adapter_{std::move(adapter)} {}

    struct group {
        int* waits;
        void wait() const { *waits += 100; }
    };
    auto get_submission_group() { return group{adapter_(this->resources_.front()).waits}; }

  private:
    Adapter adapter_;
};

namespace {

template <class Resource>
using round_robin = pointsman::round_robin_policy<Resource, dereferenced>;

TEST(AdaptedGroup, waits_for_the_adapted_resources_of_a_specialised_backend) {
    int waits = 0;
    press one{&waits};
    press other{&waits};
    round_robin<press*> by_pointer{{&one, &other}, dereferenced{}};
    pointsman::get_submission_group(by_pointer).wait();
    EXPECT_EQ(waits, 2);
    auto adapter = [](auto resource) { return *resource; };
    pointsman::round_robin_policy<press*, decltype(adapter)> by_copy{{&one, &other}, adapter};
    pointsman::get_submission_group(by_copy).wait();
    EXPECT_EQ(waits, 4);
}

TEST(AdaptedGroup, keeps_the_adapter_of_the_policy) {
    int waits = 0;
    std::vector<press> presses(3, press{&waits});
    auto look_up = [&presses](const int& index) -> press& { return presses[index]; };
    pointsman::round_robin_policy<int, decltype(look_up)> policy{std::vector{0, 2}, look_up};
    EXPECT_EQ(policy.submit([](int index) { return index; }).unwrap(), 0);
    pointsman::get_submission_group(policy).wait();
    EXPECT_EQ(waits, 2);
}

TEST(AdaptedGroup, waits_for_the_resources_themselves_without_an_adapter) {
    int waits = 0;
    pointsman::round_robin_policy<press> policy{std::vector<press>(3, press{&waits})};
    pointsman::get_submission_group(policy).wait();
    EXPECT_EQ(waits, 3);
}

TEST(AdaptedGroup, does_not_replace_a_group_that_the_backend_defines) {
    int waits = 0;
    auto one = std::make_shared<loom>(loom{&waits});
    round_robin<std::shared_ptr<loom>> policy{{one}, dereferenced{}};
    pointsman::get_submission_group(policy).wait();
    EXPECT_EQ(waits, 100);
}

TEST(AdaptedGroup, does_not_change_the_generic_backend) {
    using generic = pointsman::core_resource_backend<int, int*, dereferenced>;
    EXPECT_TRUE(
        (std::is_same_v<pointsman::detail::with_adapted_group_t<generic, int*, dereferenced>,
                        generic>));
}

}  // namespace
