// SPDX-License-Identifier: Apache-2.0
// The queue of the thread that notifies listeners for drivers' threads.
#include "submission/messenger.hpp"

#include <memory>
#include <thread>
#include <utility>

namespace pointsman::python {
namespace {

/// Opens a gate when it is notified.
struct gate_opener : end_listener {
    explicit gate_opener(binding::ref<gate> closed) noexcept
        : end_listener{&on_end}, opened{std::move(closed)} {}

    static void on_end(end_listener* self) noexcept {
        const std::unique_ptr<gate_opener> mine{static_cast<gate_opener*>(self)};
        mine->opened->open();
    }

    binding::ref<gate> opened;
};

}  // namespace

messenger& messenger::instance() {
    static messenger* const only = new messenger;
    return *only;
}

void messenger::prepare() {
    const std::lock_guard lock{mutex_};
    if (!is_started_) {
        std::thread{[this] { run(); }}.detach();
        is_started_ = true;
    }
}

void messenger::send(end_listener& listener) noexcept {
    {
        const std::lock_guard lock{mutex_};
        listener.next = nullptr;
        *end_ = &listener;
        end_ = &listener.next;
    }
    sent_.notify_one();
}

binding::ref<gate> messenger::end_of_sent() {
    auto end = binding::make_ref<gate>();
    auto opener = std::make_unique<gate_opener>(end);
    bool is_awaited = false;
    {
        const std::lock_guard lock{mutex_};
        is_awaited = is_running();
    }
    if (is_awaited) {
        send(*opener.release());
    } else {
        end->open();
    }
    return end;
}

void messenger::run() {
    while (true) {
        end_listener* const first = next();
        first->notify(first);
    }
}

end_listener* messenger::next() {
    std::unique_lock lock{mutex_};
    sent_.wait(lock, [this] { return first_ != nullptr; });
    end_listener* const first = std::exchange(first_, first_->next);
    if (first_ == nullptr) {
        end_ = &first_;
    }
    return first;
}

}  // namespace pointsman::python
