// SPDX-License-Identifier: Apache-2.0
// Both radix sorts of devices whose work items share local memory equal the standard's stable sort: the one whose
// work groups wait for each other, and the one for devices on which they may not.
// not under thread: kernels are not instrumented
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/opencl/sort.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

using detail::radix_order;

/// Sorts on a queue's device.
struct sorter {
    opencl::queue where;
    std::size_t warp;  ///< of the sort whose work groups wait for each other; 0 for the other one

    /// Sorts `keys` and moves `values` along with them.
    template <class Key, class... Values>
    void operator()(const radix_order& order, std::vector<Key>& keys,
                    std::vector<Values>&... values) const {
        std::vector<detail::moved_array> arrays;
        const auto add = [&]<class T>(const std::vector<T>& array) {
            const opencl::buffer<T> from{where, array};
            const opencl::buffer<T> to{where, array.size()};
            arrays.push_back({array.size() * sizeof(T), from.handle(), 0, to.handle(), 0});
        };
        add(keys);
        (add(values), ...);
        if (warp != 0) {
            detail::radix_sort_once<Key, Values...>{where, keys.size(), order, warp}.sort(arrays);
        } else {
            detail::radix_sort<Key, Values...>{where, keys.size(), order}.sort(arrays);
        }
        where.wait();
        const bool is_copied_back = sizeof(Key) % 2 != 0;
        std::size_t index = 0;
        const auto fetch = [&]<class T>(std::vector<T>& array) {
            const auto& moved = arrays[index++];
            where.handle().enqueueReadBuffer(is_copied_back ? moved.to : moved.from, CL_TRUE, 0,
                                             moved.size_bytes, array.data());
        };
        fetch(keys);
        (fetch(values), ...);
    }
};

template <class Key>
class SortGroupsOf : public EveryExecutionPolicy {
  protected:
    template <class Check>
    void by_both(Check check) {
        on_every_device([&](const auto& policy) {
            const opencl::queue& where = policy.queue();
            if (where.items_work_alone()) {
                return;
            }
            const std::string name = where.device().name();
            check(sorter{where, 0}, name + ", in parts");
            const std::size_t warp = detail::warp_size(where);
            if (detail::radix_sort_once<Key, std::uint32_t, double>::can_run(where, warp)) {
                check(sorter{where, warp}, name + ", in turn");
                ran_in_turn_ = true;
            }
        });
    }

    /// Checks a rising sort of `keys` with two arrays of values, and a falling one without.
    void check(const std::vector<Key>& keys) {
        std::vector<std::uint32_t> indices(keys.size());
        std::iota(indices.begin(), indices.end(), 0U);
        auto order = indices;
        std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
        std::vector<Key> rising(keys.size());
        std::ranges::transform(order, rising.begin(), [&](std::uint32_t i) { return keys[i]; });
        const std::vector<double> wide_order(order.begin(), order.end());
        const std::vector<Key> falling(rising.rbegin(), rising.rend());
        by_both([&](const sorter& sort, const std::string& name) {
            const std::string message =
                name + ", size " + std::to_string(keys.size()) + ", " + random_.seed();
            auto sorted = keys;
            auto moved = indices;
            std::vector<double> wide(indices.begin(), indices.end());
            sort(radix_order{true}, sorted, moved, wide);
            EXPECT_TRUE(sorted == rising) << message;
            EXPECT_TRUE(moved == order) << message;
            EXPECT_TRUE(wide == wide_order) << message;
            sorted = keys;
            sort(radix_order{false}, sorted);
            EXPECT_TRUE(sorted == falling) << message << ", falling";
        });
    }

    /// Sizes around those of a tile: 6,144 keys, or 3,584 of 8 bytes or with values.
    static constexpr std::array<std::size_t, 5> sizes{1, 3584, 6143, 6145, 9 * 6144 + 17};

    void TearDown() override {
        if (!ran_in_turn_) {
            GTEST_SKIP() << "no device here runs the sort whose work groups wait for each other";
        }
    }

    random_values random_;
    bool ran_in_turn_ = false;
};

using key_types = ::testing::Types<std::uint8_t, float, std::int64_t>;
TYPED_TEST_SUITE(SortGroupsOf, key_types);

TYPED_TEST(SortGroupsOf, equals_a_stable_sort) {
    for (const std::size_t size : this->sizes) {
        const auto numbers = this->random_.template of<std::int32_t>(size);
        this->check(std::vector<TypeParam>(numbers.begin(), numbers.end()));
    }
}

TYPED_TEST(SortGroupsOf, keeps_the_order_of_equal_keys) {
    for (const std::size_t size : this->sizes) {
        const auto numbers = this->random_.template of<std::int32_t>(size, 2);
        this->check(std::vector<TypeParam>(numbers.begin(), numbers.end()));
    }
}

TYPED_TEST(SortGroupsOf, takes_keys_that_come_last) {
    using limits = std::numeric_limits<TypeParam>;
    this->check(std::vector<TypeParam>(10'000, limits::max()));
    this->check(std::vector<TypeParam>(10'000, limits::lowest()));
}

}  // namespace
}  // namespace pointsman::test
