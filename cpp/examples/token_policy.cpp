// SPDX-License-Identifier: Apache-2.0
// A user-defined policy that limits the outstanding work of each resource.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <future>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

/// Each resource has a number of tokens. A submission takes one, and its completion returns it,
/// whether by success, failure or an exception. When no resource has a token left the choice is
/// empty, so that `try_submit` returns an empty optional and `submit` waits.
template <class Resource>
class token_policy : public pointsman::policy_base<token_policy<Resource>, pointsman::identity,
                                                   pointsman::default_backend<Resource>,
                                                   pointsman::execution_info::task_submission_t,
                                                   pointsman::execution_info::task_completion_t> {
    using base = pointsman::policy_base<
        token_policy, pointsman::identity, pointsman::default_backend<Resource>,
        pointsman::execution_info::task_submission_t, pointsman::execution_info::task_completion_t>;

  public:
    using selection_type =
        pointsman::set_selection<token_policy, pointsman::execution_info::task_submission_t,
                                 pointsman::execution_info::task_completion_t>;

    /// Created for each set of resources: a second `initialize` starts with all tokens free.
    class state_type {
      public:
        state_type(const std::vector<Resource>& resources, std::ptrdiff_t tokens)
            : free_(resources.size()) {
            for (auto& free : free_) {
                free = tokens;
            }
        }

        struct choice {
            std::size_t index;
        };
        /// Takes a token, searching from the resource after the last choice.
        template <class... Task>
        std::optional<choice> choose(std::size_t, const Task&...) {
            const std::size_t first = next_++;
            for (std::size_t i = 0; i < free_.size(); ++i) {
                const std::size_t index = (first + i) % free_.size();
                auto free = free_[index].load();
                while (free > 0) {
                    if (free_[index].compare_exchange_weak(free, free - 1)) {
                        return choice{index};
                    }
                }
            }
            return std::nullopt;
        }
        /// Called for a selection that is submitted a second time, without a new choice: its
        /// resource then has one more task outstanding than it has tokens.
        void add(const choice& chosen) { --free_[chosen.index]; }
        void give_back(const choice& chosen) { ++free_[chosen.index]; }

        [[nodiscard]] std::vector<std::ptrdiff_t> free() const {
            return {free_.begin(), free_.end()};
        }

      private:
        std::vector<std::atomic<std::ptrdiff_t>> free_;
        std::atomic<std::size_t> next_{0};
    };

    /// Has no resources until `initialize(resources, tokens)`.
    explicit token_policy(pointsman::deferred_initialization_t) {}
    token_policy(const std::vector<Resource>& resources, std::ptrdiff_t tokens) {
        base::initialize(resources, tokens);
    }

    /// The number of free tokens of each resource.
    [[nodiscard]] std::vector<std::ptrdiff_t> free_tokens() const {
        return this->backend_.current()->set->state.free();
    }
};

bool all_passed = true;

void check(bool passed, const char* what) {
    std::cout << (passed ? "ok: " : "FAILED: ") << what << '\n';
    all_passed = all_passed && passed;
}

}  // namespace

int main() {
    using tokens = std::vector<std::ptrdiff_t>;
    using namespace std::chrono_literals;
    token_policy<std::string> policy{{"left", "right"}, 2};

    std::vector<std::promise<int>> works(4);
    auto begin = [&](const std::string&, std::size_t i) { return works[i].get_future(); };
    for (std::size_t i = 0; i < works.size(); ++i) {
        static_cast<void>(pointsman::submit(policy, begin, i));
    }
    check(policy.free_tokens() == tokens{0, 0}, "two resources with two tokens take four tasks");

    auto never = [](const std::string&) { std::abort(); };
    check(!pointsman::try_submit(policy, never), "try_submit is empty when all are full");

    bool timed_out = false;
    try {
        policy.submit(pointsman::submit_options{.timeout = 5ms}, never);
    } catch (const pointsman::submit_timeout& error) {
        timed_out = true;
        std::cout << error.what() << '\n';
    }
    check(timed_out, "submit with a timeout gives up");

    std::atomic<bool> ended{false};
    bool waited = false;
    std::jthread waiting{
        [&] { policy.submit_and_wait([&](const std::string&) { waited = ended.load(); }); }};
    ended = true;
    works[0].set_value(1);
    waiting.join();
    check(waited, "submit waits until work ends");

    for (std::size_t i = 1; i < works.size(); ++i) {
        works[i].set_value(1);
    }
    pointsman::get_submission_group(policy).wait();
    check(policy.free_tokens() == tokens{2, 2}, "completed work returns its token");

    for (int i = 0; i < 10; ++i) {
        try {
            policy.submit([](const std::string&) { throw std::runtime_error{"on purpose"}; });
        } catch (const std::runtime_error&) {  // of no interest here
        }
    }
    check(policy.free_tokens() == tokens{2, 2}, "a function that throws returns its token");
    return all_passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
