// SPDX-License-Identifier: Apache-2.0
// Rules that every policy follows on every resource, tested for each policy on one resource, and for two
// policies on each other resource.
//
// A resource joins with a *case*: a struct with
//   using resource_type = ...;
//   static std::vector<resource_type> resources();            at least two
//   static auto work(const resource_type&);                   something small that succeeds
//   static auto failing_work(const resource_type&);           same type; the call or wait throws
// A policy joins in pointsman/policy/provided_policies.hpp.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "support/eventually.hpp"
#include "support/every_policy.hpp"

namespace pointsman::test {

/// Thrown by submitted functions. The tests check that the same type is caught.
struct i_am_the_same : std::exception {};

/// A kind of policy with a case of resources.
template <class Kind, class Case>
struct pair_of {
    using policy = typename Kind::template policy<typename Case::resource_type>;
    using resource_case = Case;
    static constexpr auto name = Kind::name;
};

template <class Case, class Kinds>
struct on_case;
template <class Case, class... Kinds>
struct on_case<Case, std::tuple<Kinds...>> {
    using type = ::testing::Types<pair_of<Kinds, Case>...>;
};
template <class Case, class Kinds = combined_kinds>
using all_policies = typename on_case<Case, Kinds>::type;
using policy_names = kind_names;

/// A kind of policy inside a policy `Wrapper`.
template <template <class> class Wrapper, class Kind>
struct wrapped_kind {
    template <class Resource>
    using policy = Wrapper<typename Kind::template policy<Resource>>;
    static constexpr auto name = Kind::name;
};
template <template <class> class Wrapper, class Case, class Kinds>
struct wrapped_on_case;
template <template <class> class Wrapper, class Case, class... Kinds>
struct wrapped_on_case<Wrapper, Case, std::tuple<Kinds...>> {
    using type = ::testing::Types<pair_of<wrapped_kind<Wrapper, Kinds>, Case>...>;
};
template <template <class> class Wrapper, class Case>
using all_wrapped_policies = typename wrapped_on_case<Wrapper, Case, combined_kinds>::type;

template <class Pair>
struct PolicyConformance : ::testing::Test {
    using policy = typename Pair::policy;
    using resource_case = typename Pair::resource_case;
    using resource = typename resource_case::resource_type;

    /// The submitted function: one type for all tests, since each type is compiled for every pair.
    struct work {
        enum class end { success, failure, exception };
        end ends = end::success;
        const std::vector<resource>* allowed = nullptr;

        auto operator()(const resource& r) const {
            if (allowed) {
                EXPECT_NE(std::ranges::find(*allowed, r), allowed->end());
            }
            if (ends == end::exception) {
                throw i_am_the_same{};
            }
            return ends == end::failure ? resource_case::failing_work(r) : resource_case::work(r);
        }
        static work on_one_of(const std::vector<resource>& allowed) {
            return {end::success, &allowed};
        }
    };

    /// Expects that nothing is outstanding, at once or after the last completion is noticed.
    static void expect_idle(const policy& p) {
        if constexpr (requires { p.loads(); }) {
            EXPECT_TRUE(eventually([&] {
                const auto loads = p.loads();
                return std::ranges::all_of(loads, [](std::size_t load) { return load == 0; });
            })) << "load was not released";
        }
    }

    /// Submits work that fails at the call or at the wait. Returns true if it failed.
    static bool submit_failing(policy& p) {
        try {
            p.submit(work{work::end::failure}).wait();
        } catch (const std::exception&) {
            return true;
        }
        return false;
    }

    std::vector<resource> resources = resource_case::resources();
};
TYPED_TEST_SUITE_P(PolicyConformance);

TYPED_TEST_P(PolicyConformance, refuses_an_empty_set) {
    using policy_type = typename TestFixture::policy;
    const std::vector<typename TestFixture::resource> none;
    EXPECT_THROW(policy_type{none}, std::invalid_argument);
    EXPECT_THROW(policy_type{none}, pointsman::error);
    policy_type deferred{deferred_initialization};
    EXPECT_THROW(deferred.initialize(none), empty_resource_set);
}

TYPED_TEST_P(PolicyConformance, gives_everything_to_a_single_resource) {
    const std::vector single{this->resources.front()};
    typename TestFixture::policy p{single};
    for (int i = 0; i < 20; ++i) {
        p.submit_and_wait(TestFixture::work::on_one_of(single));
    }
    this->expect_idle(p);
}

TYPED_TEST_P(PolicyConformance, chooses_only_from_its_set) {
    typename TestFixture::policy p{this->resources};
    EXPECT_EQ(p.get_resources(), this->resources);
    for (int i = 0; i < 50; ++i) {
        p.submit_and_wait(TestFixture::work::on_one_of(this->resources));
    }
    this->expect_idle(p);
}

TYPED_TEST_P(PolicyConformance, passes_arguments_and_results_through) {
    typename TestFixture::policy p{this->resources};
    auto s =
        p.submit([](const auto&, std::unique_ptr<int> x) { return x; }, std::make_unique<int>(5));
    EXPECT_EQ(*s.unwrap(), 5);
    p.submit([](const auto&) {}).wait();
    this->expect_idle(p);
}

TYPED_TEST_P(PolicyConformance, passes_on_an_exception_of_the_function_and_still_works) {
    typename TestFixture::policy p{this->resources};
    const typename TestFixture::work throwing{TestFixture::work::end::exception};
    for (int i = 0; i < 20; ++i) {
        EXPECT_THROW(p.submit(throwing), i_am_the_same);
        EXPECT_THROW(p.submit_and_wait(throwing), i_am_the_same);
        EXPECT_THROW(static_cast<void>(p.try_submit(throwing)), i_am_the_same);
    }
    this->expect_idle(p);
    p.submit_and_wait(typename TestFixture::work{});
}

TYPED_TEST_P(PolicyConformance, reports_failed_work_and_still_works) {
    typename TestFixture::policy p{this->resources};
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(this->submit_failing(p));
    }
    this->expect_idle(p);
    p.submit_and_wait(typename TestFixture::work{});
}

TYPED_TEST_P(PolicyConformance, accounts_for_dropped_submissions) {
    typename TestFixture::policy p{this->resources};
    for (int i = 0; i < 200; ++i) {
        static_cast<void>(p.submit(typename TestFixture::work{}));
    }
    p.get_submission_group().wait();
    this->expect_idle(p);
}

TYPED_TEST_P(PolicyConformance, serves_concurrent_submitters) {
    for (const int threads : {1, 2, 7, 16}) {
        SCOPED_TRACE(std::to_string(threads) + " threads");
        typename TestFixture::policy p{this->resources};
        std::atomic<int> failures{0};
        {
            std::vector<std::jthread> submitters;
            for (int t = 0; t < threads; ++t) {
                submitters.emplace_back([&, copy = p]() mutable {
                    for (int i = 0; i < 50; ++i) {
                        if (i % 10 == 9) {
                            failures += TestFixture::submit_failing(copy) ? 1 : 0;
                        } else {
                            copy.submit_and_wait(typename TestFixture::work{});
                        }
                    }
                });
            }
        }
        EXPECT_EQ(failures, threads * 5);
        this->expect_idle(p);
    }
}

TYPED_TEST_P(PolicyConformance, copies_and_moves_share_one_state) {
    typename TestFixture::policy p{deferred_initialization};
    auto copy = p;
    copy.initialize(this->resources);
    EXPECT_EQ(p.get_resources(), this->resources);
    auto moved = std::move(p);
    moved.submit_and_wait(typename TestFixture::work{});
    copy = moved;
    copy.submit_and_wait(typename TestFixture::work{});
    this->expect_idle(copy);
}

TYPED_TEST_P(PolicyConformance, may_be_destroyed_with_work_in_flight) {
    for (int round = 0; round < 20; ++round) {
        auto p = std::make_unique<typename TestFixture::policy>(this->resources);
        auto kept = p->submit(typename TestFixture::work{});
        for (int i = 0; i < 10; ++i) {
            static_cast<void>(p->submit(typename TestFixture::work{}));
        }
        auto group = p->get_submission_group();
        p.reset();
        kept.wait();
        group.wait();
    }
}

TYPED_TEST_P(PolicyConformance, takes_a_new_set_while_others_submit) {
    typename TestFixture::policy p{this->resources};
    {
        std::vector<std::jthread> submitters;
        for (int t = 0; t < 4; ++t) {
            submitters.emplace_back([&](const std::stop_token& stop) {
                while (!stop.stop_requested()) {
                    p.submit(typename TestFixture::work{}).wait();
                }
            });
        }
        for (int i = 0; i < 100; ++i) {
            p.initialize({this->resources[static_cast<std::size_t>(i) % this->resources.size()]});
        }
    }
    p.get_submission_group().wait();
    p.initialize(this->resources);
    this->expect_idle(p);
}

TYPED_TEST_P(PolicyConformance, submits_on_a_selection) {
    typename TestFixture::policy p{this->resources};
    const typename TestFixture::work function;
    {
        auto chosen = p.select(function);
        submit_and_wait(chosen, function);
        submit_and_wait(chosen, function);
        const auto unused = p.select(function);
    }
    this->expect_idle(p);
}

REGISTER_TYPED_TEST_SUITE_P(PolicyConformance, refuses_an_empty_set,
                            gives_everything_to_a_single_resource, chooses_only_from_its_set,
                            passes_arguments_and_results_through,
                            passes_on_an_exception_of_the_function_and_still_works,
                            reports_failed_work_and_still_works, accounts_for_dropped_submissions,
                            serves_concurrent_submitters, copies_and_moves_share_one_state,
                            may_be_destroyed_with_work_in_flight,
                            takes_a_new_set_while_others_submit, submits_on_a_selection);

}  // namespace pointsman::test
