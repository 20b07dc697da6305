// SPDX-License-Identifier: Apache-2.0
// The algorithms for memory without objects construct and destroy each object once, under every host policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/destroy.hpp"
#include "pointsman/algorithm/destroy_n.hpp"
#include "pointsman/algorithm/uninitialized_copy.hpp"
#include "pointsman/algorithm/uninitialized_copy_n.hpp"
#include "pointsman/algorithm/uninitialized_default_construct.hpp"
#include "pointsman/algorithm/uninitialized_default_construct_n.hpp"
#include "pointsman/algorithm/uninitialized_fill.hpp"
#include "pointsman/algorithm/uninitialized_fill_n.hpp"
#include "pointsman/algorithm/uninitialized_move.hpp"
#include "pointsman/algorithm/uninitialized_move_n.hpp"
#include "pointsman/algorithm/uninitialized_value_construct.hpp"
#include "pointsman/algorithm/uninitialized_value_construct_n.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

/// Counts its objects. Has a value of its own, which a moved object loses.
class counted {
  public:
    static inline std::atomic<std::ptrdiff_t> alive{0};

    counted() : counted{5} {}
    explicit counted(std::int32_t value) : value_{std::make_unique<std::int32_t>(value)} {
        ++alive;
    }
    counted(const counted& other) : counted{*other.value_} {}
    counted(counted&& other) noexcept : value_{std::move(other.value_)} { ++alive; }
    counted& operator=(counted) = delete;
    ~counted() { --alive; }

    [[nodiscard]] bool has(std::int32_t value) const { return value_ && *value_ == value; }
    [[nodiscard]] bool is_moved_from() const { return !value_; }

  private:
    std::unique_ptr<std::int32_t> value_;
};

/// Memory for objects that it neither constructs nor destroys.
template <class T>
class places {
  public:
    explicit places(std::size_t count) : count_{count}, memory_{allocate(count)} {}

    [[nodiscard]] T* begin() const { return memory_.get(); }
    [[nodiscard]] T* end() const { return memory_.get() + count_; }

  private:
    struct deleter {
        void operator()(T* memory) const { ::operator delete(memory); }
    };
    static T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T) + 1));
    }
    std::size_t count_;
    std::unique_ptr<T[], deleter> memory_;
};

class Uninitialized : public testing::TestWithParam<std::size_t> {
  protected:
    std::size_t size = GetParam();
    std::ptrdiff_t count = static_cast<std::ptrdiff_t>(size);

    template <class Check>
    void on_the_host(const Check& check) {
        counted::alive = 0;
        check(execution::seq);
        check(execution::unseq);
        check(execution::par);
        check(execution::par_unseq);
        check(execution::auto_);
        EXPECT_EQ(counted::alive, 0);
    }

    /// Checks that the places have objects of these values, and destroys them.
    template <class Policy>
    void check_and_destroy(const Policy& policy, const places<counted>& all,
                           const std::vector<std::int32_t>& values) {
        EXPECT_EQ(counted::alive, count);
        EXPECT_TRUE(std::equal(all.begin(), all.end(), values.begin(), values.end(),
                               [](const counted& a, std::int32_t b) { return a.has(b); }));
        if (size % 2 == 0) {
            destroy(policy, all.begin(), all.end());
        } else {
            EXPECT_EQ(destroy_n(policy, all.begin(), size), all.end());
        }
        EXPECT_EQ(counted::alive, 0);
    }
};

TEST_P(Uninitialized, memory_gets_copies_of_values) {
    const auto values = counting(size);
    const std::list<std::int32_t> list(values.begin(), values.end());
    on_the_host([&](const auto& policy) {
        const places<counted> out{size};
        EXPECT_EQ(uninitialized_copy(policy, values.begin(), values.end(), out.begin()), out.end());
        check_and_destroy(policy, out, values);
        EXPECT_EQ(uninitialized_copy_n(policy, list.begin(), size, out.begin()), out.end());
        check_and_destroy(policy, out, values);
    });
}

TEST_P(Uninitialized, memory_gets_moved_objects) {
    on_the_host([&](const auto& policy) {
        const places<counted> from{size};
        const places<counted> to{size};
        for (int i = 0; i < 2; ++i) {
            uninitialized_fill(policy, from.begin(), from.end(), counted{3});
            if (i == 0) {
                EXPECT_EQ(uninitialized_move(policy, from.begin(), from.end(), to.begin()),
                          to.end());
            } else {
                EXPECT_EQ(uninitialized_move_n(policy, from.begin(), size, to.begin()),
                          std::pair(from.end(), to.end()));
            }
            EXPECT_TRUE(std::all_of(from.begin(), from.end(),
                                    [](const counted& each) { return each.is_moved_from(); }));
            destroy(policy, from.begin(), from.end());
            check_and_destroy(policy, to, std::vector<std::int32_t>(size, 3));
        }
    });
}

TEST_P(Uninitialized, memory_gets_equal_objects) {
    on_the_host([&](const auto& policy) {
        const places<counted> out{size};
        EXPECT_EQ(uninitialized_fill_n(policy, out.begin(), size, counted{4}), out.end());
        check_and_destroy(policy, out, std::vector<std::int32_t>(size, 4));
        const std::vector<std::int32_t> fives(size, 5);
        uninitialized_default_construct(policy, out.begin(), out.end());
        check_and_destroy(policy, out, fives);
        EXPECT_EQ(uninitialized_default_construct_n(policy, out.begin(), size), out.end());
        check_and_destroy(policy, out, fives);
        uninitialized_value_construct(policy, out.begin(), out.end());
        check_and_destroy(policy, out, fives);
        EXPECT_EQ(uninitialized_value_construct_n(policy, out.begin(), size), out.end());
        check_and_destroy(policy, out, fives);
    });
}

TEST_P(Uninitialized, memory_of_numbers_gets_values) {
    const auto values = counting(size);
    on_the_host([&](const auto& policy) {
        const places<std::int64_t> out{size};
        uninitialized_fill(policy, out.begin(), out.end(), 7);
        EXPECT_EQ(std::count(out.begin(), out.end(), 7), count);
        uninitialized_default_construct(policy, out.begin(), out.end());
        uninitialized_value_construct(policy, out.begin(), out.end());
        EXPECT_EQ(std::count(out.begin(), out.end(), 0), count);
        uninitialized_move(policy, values.begin(), values.end(), out.begin());
        EXPECT_TRUE(std::equal(out.begin(), out.end(), values.begin(), values.end()));
        destroy(policy, out.begin(), out.end());
    });
}

INSTANTIATE_TEST_SUITE_P(Sizes, Uninitialized,
                         testing::Values(std::size_t{0}, std::size_t{1}, std::size_t{2},
                                         std::size_t{31}, std::size_t{33}, std::size_t{1000},
                                         std::size_t{65'537}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace pointsman::test
