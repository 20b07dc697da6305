// SPDX-License-Identifier: Apache-2.0
// Asynchronous algorithms return before the device begins, and equal the others afterwards.
// not under thread: kernels are not instrumented
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <latch>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/async.hpp"
#include "pointsman/algorithm/counting_iterator.hpp"
#include "pointsman/algorithm/discard_iterator.hpp"
#include "pointsman/algorithm/permutation_iterator.hpp"
#include "pointsman/algorithm/transform_iterator.hpp"
#include "pointsman/policy/round_robin_policy.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::test {
namespace {

using opencl::buffer;
using opencl::event;
using opencl::queue;
using numbers = std::vector<std::int32_t>;

POINTSMAN_FUNCTION(int32_t, tripled, (int32_t x), { return 3 * x; });
POINTSMAN_FUNCTION(void, increment, (int32_t* x), { *x += 1; });

numbers values_of(const queue& where, const buffer<std::int32_t>& x) {
    numbers got(x.size());
    x.read(where, got);
    return got;
}

/// Holds back the device until it is opened.
class gate {
  public:
    explicit gate(const queue& where) : locked_{where.context()} {}
    ~gate() { open(); }

    [[nodiscard]] event passed() const { return event{locked_}; }
    void open() {
        if (!std::exchange(is_open_, true)) {
            locked_.setStatus(CL_COMPLETE);
        }
    }

  private:
    cl::UserEvent locked_;
    bool is_open_ = false;
};

/// The order in which a device processes values: the default, or with an out-of-order queue.
class Async : public EveryExecutionPolicy {
  protected:
    /// Calls `check(policy, x, y, before)` with equal values in two buffers; the device must not begin before
    /// the event `before`.
    template <class Check>
    void behind_a_gate(const numbers& x, const numbers& expected_x, const numbers& expected_y,
                       Check check) {
        on_every_device([&](const auto& policy) {
            const queue where = policy.queue();
            const buffer<std::int32_t> first{where, x};
            const buffer<std::int32_t> second{where, x};
            gate closed{where};
            const event done = check(policy, first, second, closed.passed());
            EXPECT_FALSE(done.is_ready()) << "did not wait for the event";
            closed.open();
            done.wait();
            EXPECT_EQ(values_of(where, first), expected_x);
            EXPECT_EQ(values_of(where, second), expected_y);
        });
    }

    numbers x_ = counting(10'000);
};

numbers tripled_numbers(const numbers& x) {
    numbers y;
    for (const std::int32_t each : x) {
        y.push_back(3 * each);
    }
    return y;
}

TEST_F(Async, transforms_and_copies) {
    const numbers thrice = tripled_numbers(x_);
    behind_a_gate(x_, x_, x_, [](const auto& policy, auto& x, auto&, const event& before) {
        return transform_async(policy, begin(x), begin(x), begin(x), tripled, before);  // none
    });
    behind_a_gate(x_, x_, thrice, [](const auto& policy, auto& x, auto& y, const event& before) {
        return transform_async(policy, begin(x), end(x), begin(y), tripled, before);
    });
    behind_a_gate(x_, thrice, thrice,
                  [](const auto& policy, auto& x, auto& y, const event& before) {
                      const event first =
                          transform_async(policy, begin(x), end(x), begin(y), tripled, before);
                      const event none;
                      return copy_async(policy, begin(y), end(y), begin(x), first, none);
                  });
    numbers sums(x_.size());
    std::iota(sums.begin(), sums.end(), 0);
    behind_a_gate(x_, x_, tripled_numbers(sums),
                  [](const auto& policy, auto& x, auto& y, const event& before) {
                      return transform_async(policy, counting_iterator{0},
                                             counting_iterator{static_cast<int>(x.size())},
                                             begin(y), tripled, before);
                  });
}

TEST_F(Async, fills_and_changes) {
    behind_a_gate(x_, numbers(x_.size(), 7), numbers(x_.size(), 8),
                  [](const auto& policy, auto& x, auto& y, const event& before) {
                      (void)fill_async(policy, begin(x), end(x), 7, before);
                      (void)copy_async(policy, begin(x), end(x), begin(y));
                      return for_each_async(policy, begin(y), end(y), increment);
                  });
}

TEST_F(Async, scans) {
    numbers inclusive(x_.size());
    numbers exclusive(x_.size());
    std::inclusive_scan(x_.begin(), x_.end(), inclusive.begin());
    std::exclusive_scan(x_.begin(), x_.end(), exclusive.begin(), 5);
    behind_a_gate(x_, exclusive, inclusive,
                  [](const auto& policy, auto& x, auto& y, const event& before) {
                      (void)inclusive_scan_async(policy, begin(x), end(x), begin(y), before);
                      return exclusive_scan_async(policy, begin(x), end(x), begin(x), 5);
                  });
    behind_a_gate(x_, tripled_numbers(exclusive), tripled_numbers(inclusive),
                  [](const auto& policy, auto& x, auto& y, const event& before) {
                      (void)transform_inclusive_scan_async(policy, begin(x), end(x), begin(y),
                                                           plus{}, tripled, before);
                      return transform_exclusive_scan_async(policy, begin(x), end(x), begin(x), 15,
                                                            plus{}, tripled);
                  });
}

TEST_F(Async, sorts) {
    const numbers falling(x_.rbegin(), x_.rend());
    behind_a_gate(falling, x_, x_, [](const auto& policy, auto& x, auto& y, const event& before) {
        (void)sort_async(policy, begin(x), end(x), before);
        return stable_sort_async(policy, begin(y), end(y), less{});
    });
    behind_a_gate(falling, x_, x_, [](const auto& policy, auto& x, auto& y, const event& before) {
        return sort_by_key_async(policy, begin(x), end(x), begin(y), before);
    });
}

TEST_F(Async, folds_to_a_value_that_is_got_later) {
    on_every_device([&](const auto& policy) {
        const queue where = policy.queue();
        const buffer<std::int32_t> x{where, x_};
        const std::int32_t sum = std::reduce(x_.begin(), x_.end());
        gate closed{where};
        const auto total = reduce_async(policy, begin(x), end(x), 1, closed.passed());
        const auto most = reduce_async(policy, begin(x), end(x), -1, maximum{});
        const auto thrice = transform_reduce_async(policy, begin(x), end(x), 0, plus{}, tripled);
        const auto square = transform_reduce_async(policy, begin(x), begin(x) + 100, begin(x), 0);
        EXPECT_FALSE(total.is_ready());
        const auto none = reduce_async(policy, begin(x), begin(x), 4);
        EXPECT_FALSE(none.is_ready()) << "follows what was enqueued before";
        closed.open();
        EXPECT_EQ(total.get(), sum + 1);
        EXPECT_EQ(total.get(), sum + 1) << "again";
        EXPECT_TRUE(total.is_ready());
        EXPECT_EQ(most.get(), 9'999);
        EXPECT_EQ(thrice.get(), 3 * sum);
        EXPECT_EQ(square.get(), 328'350);
        EXPECT_EQ(none.get(), 4);
    });
}

TEST_F(Async, waits_for_a_value_that_is_dropped) {
    on_every_device([&](const auto& policy) {
        const buffer<std::int32_t> x{policy.queue(), x_};
        gate closed{policy.queue()};
        std::atomic<bool> is_opened = false;
        std::optional value{reduce_async(policy, begin(x), end(x), 0, closed.passed())};
        std::latch dropping{1};
        std::thread opener{[&] {
            dropping.wait();
            is_opened = true;
            closed.open();
        }};
        dropping.count_down();
        value.reset();
        EXPECT_TRUE(is_opened);
        opener.join();
    });
}

TEST_F(Async, scatters_and_discards) {
    const numbers backwards(x_.rbegin(), x_.rend());
    behind_a_gate(x_, x_, backwards,
                  [&](const auto& policy, auto& x, auto& y, const event& before) {
                      const buffer<std::int32_t> indices{policy.queue(), backwards};
                      (void)copy_async(policy, begin(y), end(y), discard_iterator{}, before);
                      return copy_async(policy, begin(x), end(x),
                                        permutation_iterator{begin(y), begin(indices)});
                  });
}

TEST_F(Async, may_be_submitted_through_a_policy) {
    on_every_device([&](const auto& device) {
        const queue where = device.queue();
        round_robin_policy<queue> policy{{where, where}};
        const buffer<std::int32_t> x{where, x_};
        const buffer<std::int32_t> y{where, x_.size()};
        auto thrice = policy.submit([&](const queue& q) {
            return transform_async(execution::device_policy<>{q}, begin(x), end(x), begin(y),
                                   tripled);
        });
        auto sum = policy.submit([&](const queue& q) {
            return reduce_async(execution::device_policy<>{q}, begin(x), end(x), 0);
        });
        thrice.wait();
        EXPECT_EQ(values_of(where, y), tripled_numbers(x_));
        EXPECT_EQ(sum.unwrap().get(), std::reduce(x_.begin(), x_.end()));
        policy.get_submission_group().wait();
    });
}

static_assert(detail::stays_on_device<opencl::buffer_iterator<float>>());
static_assert(detail::stays_on_device<counting_iterator<int>>());
static_assert(detail::stays_on_device<plus>());
static_assert(!detail::stays_on_device<float*>());
static_assert(!detail::stays_on_device<std::vector<float>::iterator>());
static_assert(!detail::stays_on_device<transform_iterator<const float*, identity_value>>());
static_assert(!detail::stays_on_device<
              permutation_iterator<opencl::buffer_iterator<float>, const std::int32_t*>>());

}  // namespace
}  // namespace pointsman::test
