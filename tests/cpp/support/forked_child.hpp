// SPDX-License-Identifier: Apache-2.0
// Runs a function in a forked child, and ends a child that hangs.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <string>

#include "pointsman/error.hpp"

namespace pointsman::test {

/// Succeeds if `action()` returns true in a forked child within twenty seconds.
template <class Action>
testing::AssertionResult holds_in_a_child(Action&& action) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(action() ? 0 : 1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return testing::AssertionFailure() << "fork failed";
    }
    if (WIFSIGNALED(status)) {
        return testing::AssertionFailure()
               << (WTERMSIG(status) == SIGALRM
                       ? "the child hung"
                       : "the child crashed: signal " + std::to_string(WTERMSIG(status)));
    }
    return WEXITSTATUS(status) == 0 ? testing::AssertionSuccess()
                                    : testing::AssertionFailure() << "false in the child";
}

/// Succeeds if `action()` throws `forked_process` with the remedy in a forked child.
template <class Action>
testing::AssertionResult is_refused_in_a_child(Action&& action) {
    return holds_in_a_child([&] {
        try {
            static_cast<void>(action());
        } catch (const forked_process& refused) {
            return std::string{refused.what()}.find("spawn") != std::string::npos;
        } catch (const std::exception&) {
        }
        return false;
    });
}

}  // namespace pointsman::test
