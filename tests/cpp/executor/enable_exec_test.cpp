// SPDX-License-Identifier: Apache-2.0
// enable_exec: choosing an executor by priority, by checks, and by environment variables.
#include "pointsman/executor/enable_exec.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <tuple>

#include "pointsman/pointsman.hpp"
#include "support/message_of.hpp"

namespace pointsman::test {
namespace {

/// Sets an environment variable during its lifetime.
class environment_variable {
  public:
    environment_variable(std::string name, const std::string& value) : name_{std::move(name)} {
        setenv(name_.c_str(), value.c_str(), 1);
    }
    environment_variable(const environment_variable&) = delete;
    environment_variable& operator=(const environment_variable&) = delete;
    ~environment_variable() { unsetenv(name_.c_str()); }

  private:
    std::string name_;
};

constexpr auto name_of = [](const auto& executor) {
    return executor_name<std::remove_cvref_t<decltype(executor)>>();
};

/// Runs on two threads, and refuses small work.
struct small_work : executor_runtime_checks {
    template <executor_instance_of<arena_executor> Executor>
    executor_fit<Executor> check(const Executor& executor) const {
        auto fit = executor_runtime_checks::check(executor);
        if (fit && size < 100) {
            return executor_refusal{"only " + std::to_string(size) + " points"};
        }
        return fit ? Executor{arena{2}} : fit;
    }
    int size = 1000;
};

/// Accepts an arena_executor and returns it with another type: one that never blocks.
struct in_the_background : executor_runtime_checks {
    auto check(const arena_executor<>& executor) const {
        return executor_fit{require(executor, blocking.never)};
    }
};

/// Not compiled in, like `openmp_executor` in a build without OpenMP.
struct missing_executor : detail::not_compiled_in {
    static constexpr std::string_view name = "missing";
    static constexpr std::string_view remedy = "find it";
    void execute(auto&&) const {}
};

struct takes_inline_only {
    template <executor_instance_of<inline_executor> Executor>
    std::string operator()(const Executor&) const {
        return "inline";
    }
};

}  // namespace

TEST(EnableExecWithPriority, takes_the_first_executor_that_fits) {
    EXPECT_EQ(enable_exec_with_priority(name_of, arena_executor<>{}, inline_executor<>{}), "arena");
    EXPECT_EQ(enable_exec_with_priority(name_of, inline_executor<>{}, arena_executor<>{}),
              "inline");
    EXPECT_EQ(enable_exec_with_priority(name_of,
                                        std::tuple{unsequenced_executor<>{}, inline_executor<>{}}),
              "unsequenced");
}

TEST(EnableExecWithPriority, skips_executors_that_the_function_does_not_take) {
    EXPECT_EQ(enable_exec_with_priority(takes_inline_only{}, arena_executor<>{},
                                        openmp_executor<>{}, inline_executor<>{}),
              "inline");
}

TEST(EnableExecWithPriority, skips_executors_that_the_environment_switches_off) {
    for (const auto* off : {"OFF", "off", "0", "False", "no"}) {
        const environment_variable set{"POINTSMAN_ENABLE_ARENA_EXEC", off};
        EXPECT_EQ(enable_exec_with_priority(name_of, arena_executor<>{}, inline_executor<>{}),
                  "inline")
            << off;
    }
    for (const auto* on : {"ON", "1", "", "true", "yes"}) {
        const environment_variable set{"POINTSMAN_ENABLE_ARENA_EXEC", on};
        EXPECT_EQ(enable_exec_with_priority(name_of, arena_executor<>{}, inline_executor<>{}),
                  "arena")
            << on;
    }
}

TEST(EnableExecWithPriority, refuses_a_switch_that_is_neither_on_nor_off) {
    const environment_variable set{"POINTSMAN_ENABLE_ARENA_EXEC", "perhaps"};
    EXPECT_EQ(message_of<std::invalid_argument>(
                  [] { enable_exec_with_priority(name_of, arena_executor<>{}); }),
              "the environment has POINTSMAN_ENABLE_ARENA_EXEC=perhaps: set it to ON or OFF, or "
              "remove it");
}

TEST(EnableExecWithPriority, throws_an_error_with_the_reason_for_each_refusal) {
    const environment_variable no_arena{"POINTSMAN_ENABLE_ARENA_EXEC", "OFF"};
    const auto message = message_of<std::runtime_error>([] {
        enable_exec_with_priority(takes_inline_only{}, arena_executor<>{}, openmp_executor<>{});
    });
    EXPECT_TRUE(message.starts_with("no executor fits:\n  arena: ")) << message;
    EXPECT_NE(message.find("\n  openmp: "), message.npos) << message;
    EXPECT_THROW(enable_exec_with_priority(name_of, arena_executor<>{}), no_executor_fits);
    EXPECT_NE(message_of<std::runtime_error>([] {
                  enable_exec_with_priority(name_of, arena_executor<>{});
              }).find("arena: switched off by POINTSMAN_ENABLE_ARENA_EXEC"),
              std::string::npos);
}

TEST(EnableExecWithPriority, says_that_an_executor_was_not_compiled_in) {
    const auto message = message_of<std::runtime_error>(
        [] { enable_exec_with_priority(name_of, missing_executor{}); });
    EXPECT_TRUE(message.starts_with("no executor fits:\n  missing: not compiled in: find it\n"))
        << message;
}

TEST(EnableExecWithPriority, passes_on_an_exception_of_the_function) {
    const auto failing = [](const auto&) { throw std::out_of_range{"on purpose"}; };
    EXPECT_THROW(enable_exec_with_priority(failing, inline_executor<>{}), std::out_of_range);
}

TEST(EnableExecOnDescPriority, sorts_the_executors_by_priority_first) {
    EXPECT_EQ(enable_exec_on_desc_priority(name_of, inline_executor<>{}, arena_executor<>{},
                                           unsequenced_executor<>{}),
              "arena");
    EXPECT_EQ(enable_exec_on_desc_priority(
                  name_of, std::tuple{inline_executor<>{}, unsequenced_executor<>{}}),
              "unsequenced");
    static_assert(executor_priority_v<openmp_executor<>> > executor_priority_v<arena_executor<>>);
    static_assert(executor_priority_v<opencl_executor<>> > executor_priority_v<openmp_executor<>>);
}

TEST(RuntimeChecks, may_refuse_and_customise_an_executor) {
    const auto threads = [](const auto& executor) { return query(executor, occupancy); };
    EXPECT_EQ(enable_exec_with_priority(small_work{}, threads, arena_executor<>{arena{4}}), 2U);
    EXPECT_EQ(enable_exec_with_priority(small_work{{}, 50}, threads, arena_executor<>{arena{4}},
                                        inline_executor<>{}),
              1U);
    const auto message = message_of<std::runtime_error>(
        [&] { enable_exec_on_desc_priority(small_work{{}, 7}, threads, arena_executor<>{}); });
    EXPECT_NE(message.find("arena: only 7 points\n"), message.npos) << message;
}

TEST(RuntimeChecks, may_give_an_executor_another_property) {
    const auto how = [](const auto& executor) { return blocking_t{query(executor, blocking)}; };
    EXPECT_EQ(enable_exec_with_priority(in_the_background{}, how, arena_executor<>{},
                                        inline_executor<>{}),
              blocking.never);
}

}  // namespace pointsman::test
