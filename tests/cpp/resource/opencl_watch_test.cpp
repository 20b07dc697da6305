// SPDX-License-Identifier: Apache-2.0
// The watch of an in-order queue reports the end of every command exactly once, also after failures.
#include <gtest/gtest.h>

#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using opencl::detail::callback_slot;
using opencl::detail::in_order_watch;
using opencl::detail::notice;

/// Watches commands of the queue by callbacks and by polling, regardless of what suits the driver.
class OpenclWatch : public OpenclTest, public testing::WithParamInterface<notice> {
  protected:
    using watch_ref = pointsman::detail::ref<in_order_watch>;

    /// Enqueues a command that does nothing, after the gate if there is one.
    opencl::event enqueue(const gate* held = nullptr) {
        const auto done =
            held != nullptr
                ? held->enqueue_marker(queue())
                : queue().enqueue([](const cl::CommandQueue& commands, cl::Event* event) {
                      commands.enqueueMarkerWithWaitList(nullptr, event);
                  });
        return opencl::event{
            opencl::detail::command{
                .event = done.handle(), .noticed_by = GetParam(), .number = watch_->next_number()},
            watch_};
    }

    /// Registers an event as if it were a command of the queue.
    void list(const cl::Event& event, listener& target) { list(event, target, next_number()); }
    void list(const cl::Event& event, listener& target, std::uint32_t number) {
        opencl::event{
            opencl::detail::command{.event = event, .noticed_by = GetParam(), .number = number},
            watch_}
            .on_completion(target.callback());
    }
    std::uint32_t next_number() { return watch_->next_number(); }
    cl::UserEvent pending() { return cl::UserEvent{queue().context()}; }

    void drop_the_watch() { watch_ = {}; }

  private:
    watch_ref watch_ = opencl::detail::watch_for(GetParam());
};

/// Listeners at fixed addresses.
class audience {
  public:
    explicit audience(std::size_t size)
        : size_{size}, listeners_{std::make_unique<listener[]>(size)} {}

    listener& operator[](std::size_t i) { return listeners_[i]; }
    void wait() {
        for (std::size_t i = 0; i < size_; ++i) {
            listeners_[i].notified.wait();
        }
    }
    bool each_called_once() const {
        for (std::size_t i = 0; i < size_; ++i) {
            if (listeners_[i].calls != 1) {
                return false;
            }
        }
        return true;
    }
    bool none_called() const {
        for (std::size_t i = 0; i < size_; ++i) {
            if (listeners_[i].calls != 0) {
                return false;
            }
        }
        return true;
    }

  private:
    std::size_t size_;
    std::unique_ptr<listener[]> listeners_;
};

TEST_P(OpenclWatch, reports_each_of_4000_outstanding_ends_once) {
    constexpr std::size_t commands = 4000;
    gate held{queue()};
    audience listeners{commands + 1};
    for (std::size_t i = 0; i < commands; ++i) {
        enqueue(i == 0 ? &held : nullptr).on_completion(listeners[i].callback());
    }
    EXPECT_TRUE(listeners.none_called());
    held.open();
    queue().wait();
    enqueue().on_completion(listeners[commands].callback());
    listeners.wait();
    EXPECT_TRUE(listeners.each_called_once());
}

TEST_P(OpenclWatch, reports_the_ends_of_commands_from_two_threads) {
    constexpr std::size_t commands = 500;
    audience first{commands};
    audience second{commands};
    {
        std::barrier start{2};
        std::vector<std::jthread> threads;
        for (audience* listeners : {&first, &second}) {
            threads.emplace_back([&, listeners] {
                start.arrive_and_wait();
                for (std::size_t i = 0; i < commands; ++i) {
                    enqueue().on_completion((*listeners)[i].callback());
                }
            });
        }
    }
    first.wait();
    second.wait();
    EXPECT_TRUE(first.each_called_once());
    EXPECT_TRUE(second.each_called_once());
}

TEST_P(OpenclWatch, reports_a_failed_command_and_the_commands_behind_it) {
    gate held{queue()};
    audience listeners{20};
    for (std::size_t i = 0; i < 20; ++i) {
        enqueue(i == 0 ? &held : nullptr).on_completion(listeners[i].callback());
    }
    held.fail(CL_OUT_OF_RESOURCES);
    listeners.wait();
    EXPECT_FALSE(listeners[0].end.succeeded);
    EXPECT_TRUE(listeners.each_called_once());
}

TEST_P(OpenclWatch, reports_the_oldest_ends_while_the_newest_command_is_pending) {
    constexpr std::size_t commands = 40;
    std::vector<cl::UserEvent> all;
    audience listeners{commands};
    for (std::size_t i = 0; i < commands; ++i) {
        list(all.emplace_back(pending()), listeners[i]);
    }
    std::size_t ended = 0;
    for (const std::size_t complete : {1U, 2U, 20U, 39U}) {
        while (ended < complete) {
            all[ended++].setStatus(CL_COMPLETE);
        }
        if (GetParam() == notice::polling) {  // a callback comes for one command in eight
            listeners[complete - 1].notified.wait();
            EXPECT_TRUE(listeners[complete - 1].end.succeeded);
        }
        EXPECT_EQ(listeners[complete].calls, 0) << complete;
    }
    all.back().setStatus(CL_COMPLETE);
    listeners.wait();
    EXPECT_TRUE(listeners.each_called_once());
}

TEST_P(OpenclWatch, reports_a_failure_among_the_oldest_while_the_newest_command_is_pending) {
    std::vector<cl::UserEvent> all;
    audience listeners{20};
    for (std::size_t i = 0; i < 20; ++i) {
        list(all.emplace_back(pending()), listeners[i]);
    }
    for (std::size_t i = 0; i < 10; ++i) {
        all[i].setStatus(i == 5 ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
    }
    if (GetParam() == notice::polling) {
        listeners[9].notified.wait();
    }
    EXPECT_EQ(listeners[10].calls, 0);
    for (std::size_t i = 10; i < 20; ++i) {
        all[i].setStatus(CL_COMPLETE);
    }
    listeners.wait();
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(listeners[i].end.succeeded, i != 5) << i;
    }
    EXPECT_TRUE(listeners.each_called_once());
}

TEST_P(OpenclWatch, counts_a_failure_before_a_success_as_a_failure) {
    cl::UserEvent fails = pending();
    cl::UserEvent succeeds = pending();
    audience listeners{2};
    list(fails, listeners[0]);
    list(succeeds, listeners[1]);
    fails.setStatus(CL_OUT_OF_RESOURCES);
    succeeds.setStatus(CL_COMPLETE);
    listeners.wait();
    EXPECT_FALSE(listeners[0].end.succeeded);
    EXPECT_TRUE(listeners[1].end.succeeded);
}

TEST_P(OpenclWatch, reports_no_command_before_its_end_when_a_later_one_has_failed) {
    cl::UserEvent first = pending();
    cl::UserEvent second = pending();
    audience listeners{2};
    list(first, listeners[0]);
    list(second, listeners[1]);
    second.setStatus(CL_OUT_OF_RESOURCES);
    listener later;
    cl::UserEvent third = pending();
    list(third, later);
    third.setStatus(CL_COMPLETE);
    EXPECT_EQ(listeners[0].calls, 0);
    first.setStatus(CL_COMPLETE);
    listeners.wait();
    later.notified.wait();
    EXPECT_TRUE(listeners[0].end.succeeded);
    EXPECT_FALSE(listeners[1].end.succeeded);
}

TEST_P(OpenclWatch, reports_no_command_before_its_end_when_listed_out_of_order) {
    cl::UserEvent earlier = pending();
    cl::UserEvent later = pending();
    audience listeners{2};
    const std::uint32_t first = next_number();
    list(later, listeners[1]);
    list(earlier, listeners[0], first);
    earlier.setStatus(CL_COMPLETE);
    listeners[0].notified.wait();
    EXPECT_EQ(listeners[1].calls, 0);
    later.setStatus(CL_COMPLETE);
    listeners[1].notified.wait();
    EXPECT_TRUE(listeners[1].end.succeeded);
}

TEST_P(OpenclWatch, accepts_commands_that_two_threads_list_out_of_order) {
    constexpr std::size_t earlier = 20;
    cl::UserEvent last = pending();
    std::vector<cl::UserEvent> first;
    audience listeners{earlier + 1};
    list(last, listeners[earlier]);
    std::thread{[&] {
        for (std::size_t i = 0; i < earlier; ++i) {
            list(first.emplace_back(pending()), listeners[i]);
        }
    }}.join();
    for (cl::UserEvent& each : first) {
        each.setStatus(CL_COMPLETE);
    }
    last.setStatus(CL_COMPLETE);
    listeners.wait();
    EXPECT_TRUE(listeners.each_called_once());
}

TEST_P(OpenclWatch, reports_a_completed_command) {
    const auto done = enqueue();
    queue().wait();
    listener observer;
    done.on_completion(observer.callback());
    observer.notified.wait();
    EXPECT_EQ(observer.calls, 1);
    EXPECT_TRUE(observer.end.succeeded);
}

TEST_P(OpenclWatch, reports_commands_after_its_last_reference_is_dropped) {
    gate held{queue()};
    audience listeners{20};
    for (std::size_t i = 0; i < 20; ++i) {
        enqueue(i == 0 ? &held : nullptr).on_completion(listeners[i].callback());
    }
    drop_the_watch();
    held.open();
    listeners.wait();
    EXPECT_TRUE(listeners.each_called_once());
}

INSTANTIATE_TEST_SUITE_P(, OpenclWatch, testing::Values(notice::callback, notice::polling),
                         [](const auto& p) {
                             return std::string{p.param == notice::callback ? "called_back"
                                                                            : "polled"};
                         });

using OpenclQueueWatch = OpenclTest;

TEST_F(OpenclQueueWatch, reports_commands_that_outlive_their_queue) {
    gate held{queue()};
    audience listeners{20};
    {
        const opencl::queue dropped{queue().device()};
        for (std::size_t i = 0; i < 20; ++i) {
            held.enqueue_marker(dropped).on_completion(listeners[i].callback());
        }
    }
    held.open();
    listeners.wait();
    EXPECT_TRUE(listeners.each_called_once());
}

TEST_F(OpenclQueueWatch, tolerates_callbacks_that_come_early_or_late_or_too_often) {
    callback_slot* const slot = callback_slot::take({});
    slot->give_back();
    gate held{queue()};
    listener observer;
    {
        const opencl::queue next{queue().device()};  // its watch takes the slot
        held.enqueue_marker(next).on_completion(observer.callback());
        callback_slot::on_callback(nullptr, CL_COMPLETE, slot);
        EXPECT_EQ(observer.calls, 0) << "the command is not complete";
    }
    held.open();
    callback_slot::on_callback(nullptr, CL_COMPLETE, slot);
    observer.notified.wait();
    callback_slot::on_callback(nullptr, CL_COMPLETE, slot);
    EXPECT_EQ(observer.calls, 1);
}

struct called final : pointsman::detail::ref_counted {
    std::atomic<int> times{0};
};

TEST(OpenclCallbackSlot, leads_to_its_owner_until_it_is_released) {
    const auto owner = pointsman::detail::make_ref<called>();
    callback_slot* const slot =
        callback_slot::take({owner.get(), [](pointsman::detail::ref_counted& object) noexcept {
                                 ++static_cast<called&>(object).times;
                             }});
    callback_slot::on_callback(nullptr, CL_COMPLETE, slot);
    EXPECT_EQ(owner->times, 1);
    slot->give_back();
    callback_slot::on_callback(nullptr, CL_COMPLETE, slot);
    EXPECT_EQ(owner->times, 1);
}

}  // namespace
}  // namespace pointsman::test
