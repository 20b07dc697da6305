// SPDX-License-Identifier: Apache-2.0
// Both scans of devices whose work items share local memory equal the standard's: the one in which work
// groups wait for each other, and the one for devices on which they may not.
// not under thread: kernels are not instrumented
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/device_tuple.hpp"
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/algorithm/structure.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

using detail::scan_kind;

// Composes two maps x -> a * x + b modulo 2^16, each in the halves of a word: not commutative.
POINTSMAN_FUNCTION(uint32_t, composed, (uint32_t f, uint32_t g), {
    const uint32_t a = (f & 0xffff) * (g & 0xffff);
    const uint32_t b = (f >> 16) * (g & 0xffff) + (g >> 16);
    return (a & 0xffff) | (b << 16);
});

// The same maps modulo 2^32 with other numbers, so wide that fewer work items have room for their values.
POINTSMAN_STRUCT(affine_map, {
    uint32_t a;
    uint32_t b;
    uint64_t count;
    uint64_t last;
    uint64_t first;
});
POINTSMAN_FUNCTION(affine_map, composed_maps, (affine_map f, affine_map g), {
    f.b = f.b * g.a + g.b;
    f.a = f.a * g.a;
    f.count = f.count + g.count;
    f.last = g.last;
    return f;
});

/// Scans values on a queue's device.
struct scanner {
    opencl::queue where;
    bool waits;  ///< whether work groups wait for each other

    template <class F, class T>
    std::vector<T> operator()(F, const std::vector<T>& x, scan_kind kind,
                              const std::optional<T>& initial = {}) const {
        using values = detail::computed_values<opencl::buffer_iterator<T>>;
        const opencl::buffer<T> in{where, x};
        const opencl::buffer<T> out{where, x.size()};
        const std::tuple<values> from{values{where, begin(in), x.size(), values::use::input}};
        const values to{where, begin(out), x.size(), values::use::output};
        if (waits) {
            detail::scan_once<T, F, identity_value>(where, from, x.size(), to, initial, kind);
        } else {
            detail::scan_in_parts<T, F, identity_value>(where, from, x.size(), to, initial, kind);
        }
        std::vector<T> got(x.size());
        out.read(where, got);
        return got;
    }
};

class ScanGroups : public EveryExecutionPolicy {
  protected:
    template <class Check>
    void by_both(Check check) {
        on_every_device([&](const auto& policy) {
            const opencl::queue& where = policy.queue();
            if (where.items_work_alone()) {
                return;
            }
            const std::string name = where.device().name();
            check(scanner{where, false}, name + ", in parts");
            if (detail::groups_take_turns(where)) {
                check(scanner{where, true}, name + ", in turn");
            }
        });
    }

    random_values random_;
};

/// Sizes around those of a tile of 8,192 values, or 4,096 of 8 bytes, and of a batch of 128 tiles.
template <class T>
std::vector<std::size_t> tile_sizes() {
    const std::size_t tile = sizeof(T) == 8 ? 4'096 : 8'192;
    return {1, 2, tile - 1, tile, tile + 1, 128 * tile, 128 * tile + 1, 300 * tile + 17};
}

TEST_F(ScanGroups, keep_the_order_of_values) {
    for (const std::size_t size : tile_sizes<std::uint32_t>()) {
        const auto x = random_.of<std::uint32_t>(size);
        std::vector<std::uint32_t> inclusive(size);
        std::vector<std::uint32_t> exclusive(size);
        std::inclusive_scan(x.begin(), x.end(), inclusive.begin(), composed);
        std::exclusive_scan(x.begin(), x.end(), exclusive.begin(), 5U, composed);
        by_both([&](const scanner& scan, const std::string& name) {
            EXPECT_EQ(scan(composed, x, scan_kind::inclusive), inclusive)
                << name << ", size " << size << ", " << random_.seed();
            EXPECT_EQ(scan(composed, x, scan_kind::exclusive, {5U}), exclusive)
                << name << ", size " << size << ", " << random_.seed();
        });
    }
}

TEST_F(ScanGroups, keep_the_order_of_tuples) {
    using tuple = detail::device_tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t,
                                       std::uint64_t>;
    for (const std::size_t size : {1, 2, 511, 512, 513, 65'537, 200'000}) {
        const auto numbers = random_.of<std::uint32_t>(size);
        std::vector<tuple> x;
        for (const std::uint32_t number : numbers) {
            x.emplace_back(affine_map(number | 1, number / 3, 1, number, number / 2));
        }
        std::vector<tuple> expected(size);
        std::inclusive_scan(x.begin(), x.end(), expected.begin(),
                            [](tuple f, tuple g) { return tuple(composed_maps(f, g)); });
        by_both([&](const scanner& scan, const std::string& name) {
            EXPECT_TRUE(scan(composed_maps, x, scan_kind::inclusive) == expected)
                << name << ", size " << size << ", " << random_.seed();
        });
    }
}

template <class T>
class ScanGroupsOf : public ScanGroups {};

using word_types = ::testing::Types<std::int8_t, std::uint16_t, std::int64_t>;
TYPED_TEST_SUITE(ScanGroupsOf, word_types);

TYPED_TEST(ScanGroupsOf, publish_sums_of_every_width) {
    for (const std::size_t size : tile_sizes<TypeParam>()) {
        const auto numbers = this->random_.template of<std::int32_t>(size);
        const std::vector<TypeParam> x(numbers.begin(), numbers.end());
        std::vector<TypeParam> expected(size);
        std::inclusive_scan(x.begin(), x.end(), expected.begin(), plus{});
        this->by_both([&](const scanner& scan, const std::string& name) {
            EXPECT_EQ(scan(plus{}, x, scan_kind::inclusive), expected)
                << name << ", size " << size << ", " << this->random_.seed();
        });
    }
}

TEST_F(ScanGroups, have_the_same_rounding_in_every_run) {
    const auto x = random_.of<float>(600'000, 1);
    by_both([&](const scanner& scan, const std::string& name) {
        const auto first = scan(plus{}, x, scan_kind::inclusive);
        for (int run = 0; run < 10; ++run) {
            EXPECT_EQ(scan(plus{}, x, scan_kind::inclusive), first)
                << name << ", " << random_.seed();
        }
    });
}

TEST_F(ScanGroups, wait_for_each_other_on_the_devices_known_to_allow_it) {
    on_every_device([](const auto& policy) {
        const std::string platform = policy.queue().device().platform();
        if (platform == "Portable Computing Language" || platform == "NVIDIA CUDA") {
            EXPECT_TRUE(detail::groups_take_turns(policy.queue())) << platform;
        }
    });
}

}  // namespace
}  // namespace pointsman::test
