// SPDX-License-Identifier: Apache-2.0
// domain_of reports which resources share hardware.
#include "pointsman/tuning/domain.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "opencl_fixture.hpp"
#include "pointsman/resource/any_resource.hpp"
#include "pointsman/resource/arena.hpp"

namespace pointsman::test {

/// A user-defined resource with a `domain` member.
struct accelerator {
    [[nodiscard]] pointsman::domain domain() const { return {.id = 77, .capacity = 4}; }
};

/// A user-defined resource without one: `domain_traits` is specialised for it.
struct foreign_accelerator {
    std::uint64_t card;
};

}  // namespace pointsman::test

template <>
struct pointsman::domain_traits<pointsman::test::foreign_accelerator> {
    static domain of(const pointsman::test::foreign_accelerator& on) {
        return {.id = on.card, .slots = 8};
    }
};

namespace pointsman::test {
namespace {

TEST(Domain, of_an_unknown_type_is_its_own) {
    const auto own = domain_of(3);
    EXPECT_EQ(own.id, 0U);
    EXPECT_EQ(own.slots, 1U);
    EXPECT_EQ(own.capacity, 1);
}

TEST(Domain, may_be_a_member) {
    EXPECT_EQ(domain_of(accelerator{}).id, 77U);
    EXPECT_EQ(domain_of(accelerator{}).capacity, 4);
}

TEST(Domain, may_come_from_the_traits) {
    EXPECT_EQ(domain_of(foreign_accelerator{5}).id, 5U);
    EXPECT_EQ(domain_of(foreign_accelerator{5}).slots, 8U);
}

TEST(Domain, of_arenas_is_the_same) {
    const arena one{1};
    const arena two{2};
    EXPECT_NE(domain_of(one).id, 0U);
    EXPECT_EQ(domain_of(one).id, domain_of(two).id);
    EXPECT_EQ(domain_of(one).capacity, domain_of(two).capacity);
}

TEST(Domain, of_an_arena_has_a_slot_for_each_of_its_tasks) {
    const arena two{2};
    EXPECT_EQ(domain_of(two).slots, static_cast<std::size_t>(two.concurrency()));
    EXPECT_EQ(domain_of(two).threads_each, 1);
}

TEST(Domain, of_any_resource_is_that_of_the_held_resource) {
    const arena inside{2};
    const any_resource outside{inside};
    EXPECT_EQ(domain_of(outside).id, domain_of(inside).id);
    EXPECT_EQ(domain_of(outside).slots, domain_of(inside).slots);
}

using OpenclDomain = OpenclTest;

TEST_F(OpenclDomain, of_queues_is_that_of_their_device) {
    const opencl::queue other{queue().device()};
    EXPECT_NE(domain_of(queue()).id, 0U);
    EXPECT_EQ(domain_of(queue()).id, domain_of(other).id);
    EXPECT_EQ(domain_of(queue()).id, domain_of(queue().device()).id);
    EXPECT_EQ(domain_of(any_resource{other}).id, domain_of(other).id);
}

TEST_F(OpenclDomain, of_a_cpu_is_that_of_arenas_with_a_thread_for_each_compute_unit) {
    for (const auto& device : opencl::devices()) {
        if (device.is_cpu()) {
            EXPECT_EQ(domain_of(device).id, domain_of(arena{1}).id);
            EXPECT_EQ(domain_of(device).threads_each, device.compute_units());
        } else {
            EXPECT_NE(domain_of(device).id, domain_of(arena{1}).id);
        }
    }
}

}  // namespace
}  // namespace pointsman::test
