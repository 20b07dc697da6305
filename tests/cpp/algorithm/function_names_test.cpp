// SPDX-License-Identifier: Apache-2.0
// Functions of one name from several namespaces meet in one kernel, where iterators compute values.
#ifndef POINTSMAN_WITHOUT_OPENCL

#include <gtest/gtest.h>

#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/structure.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/algorithm/transform_iterator.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_STRUCT(number_pair, {
    float x;
    float fields;
});

namespace first {
POINTSMAN_FUNCTION(float, changed, (float x), { return x + 1; });
POINTSMAN_FUNCTION(number_pair, moved, (number_pair p), {
    number_pair r = {p.x + 1, p.fields};
    return r;
});
}  // namespace first
namespace second {
POINTSMAN_FUNCTION(float, changed, (float x), { return x * 100; });
POINTSMAN_FUNCTION(number_pair, moved, (number_pair p), {
    number_pair r = {p.x * 100, p.fields};
    return r;
});
}  // namespace second
namespace first {
POINTSMAN_STRUCT(point, {
    float x;
    float y;
});
POINTSMAN_FUNCTION(point, doubled, (point p), {
    point r = {p.x * 2, p.y};
    return r;
});
}  // namespace first
namespace second {
POINTSMAN_STRUCT(point, {
    float y;
    float x;
});
POINTSMAN_FUNCTION(float, added, (point p), { return p.x + 100 * p.y; });
}  // namespace second
namespace third {
POINTSMAN_FUNCTION(float, changed, (float x, float y), { return x > y ? x : y; });
POINTSMAN_FUNCTION(bool, moved, (number_pair p, number_pair q), { return p.x == q.x; });
}  // namespace third
POINTSMAN_FUNCTION(bool, same_moved, (number_pair p, number_pair q), { return p.x == q.x; });
POINTSMAN_FUNCTION(float, a, (float x), { return x * 2; });

class FunctionNames : public ParallelAndDevicePolicies {
  protected:
    std::vector<float> x{1, 2, 3, 4};
    std::vector<float> out{0, 0, 0, 0};
};

TEST_F(FunctionNames, are_kept_apart_in_a_transform) {
    const transform_iterator values{x.begin(), first::changed};
    under_policies([&](const auto& policy, const std::string& name) {
        transform(policy, values, values + 4, out.begin(), second::changed);
        EXPECT_EQ(out, (std::vector<float>{200, 300, 400, 500})) << name;
    });
}

TEST_F(FunctionNames, are_kept_apart_in_iterators_of_iterators) {
    const transform_iterator values{transform_iterator{x.begin(), first::changed}, second::changed};
    under_policies([&](const auto& policy, const std::string& name) {
        transform(policy, values, values + 4, out.begin(), first::changed);
        EXPECT_EQ(out, (std::vector<float>{201, 301, 401, 501})) << name;
    });
}

TEST_F(FunctionNames, are_kept_apart_in_a_reduction) {
    const transform_iterator values{x.begin(), second::changed};
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(reduce(policy, values, values + 4, 0.0F, third::changed), 400) << name;
    });
}

TEST_F(FunctionNames, are_kept_apart_for_tuples) {
    const std::vector<int> i{1, 2, 3, 4};
    const std::vector<int> j{5, 6, 7, 8};
    std::vector<float> others(4);
    const transform_iterator values{zip_iterator{i.begin(), j.begin()}, first::moved};
    under_policies([&](const auto& policy, const std::string& name) {
        transform(policy, values, values + 4, zip_iterator{out.begin(), others.begin()},
                  second::moved);
        EXPECT_EQ(out, (std::vector<float>{200, 300, 400, 500})) << name;
        EXPECT_EQ(others, (std::vector<float>{5, 6, 7, 8})) << name;
    });
}

TEST_F(FunctionNames, are_kept_apart_for_tuples_of_several_types) {
    const std::vector<int> i{1, 2, 3, 4};
    const auto moved = [&](auto part) {
        return transform_iterator{zip_iterator{part, part}, first::moved};
    };
    const auto ints = moved(i.begin());
    const auto floats = moved(x.begin());
    const transform_iterator twice{floats, first::moved};
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_TRUE(equal(policy, ints, ints + 4, floats, same_moved)) << name;
        EXPECT_FALSE(equal(policy, ints, ints + 4, twice, same_moved)) << name;
        EXPECT_TRUE(equal(policy, ints, ints + 4, floats, third::moved)) << name;
        EXPECT_FALSE(equal(policy, floats, floats + 4, twice, third::moved)) << name;
    });
}

TEST_F(FunctionNames, of_two_structs_are_an_error) {
    on_every_device([&](const auto& policy) {
        const transform_iterator values{zip_iterator{x.begin(), x.begin()}, first::doubled};
        EXPECT_THROW(transform(policy, values, values + 4, out.begin(), second::added),
                     opencl::build_error);
    });
}

TEST_F(FunctionNames, may_be_those_of_a_kernels_parameters) {
    under_policies([&](const auto& policy, const std::string& name) {
        transform_inclusive_scan(policy, x.begin(), x.end(), out.begin(), plus{}, a);
        EXPECT_EQ(out, (std::vector<float>{2, 6, 12, 20})) << name;
    });
}

}  // namespace
}  // namespace pointsman::test

#endif
