// SPDX-License-Identifier: Apache-2.0
// Calls the done callbacks of submissions.
#include "submission/done_callback.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace fairlead::python {

void done_callback::add(listener_list& listeners, PyObject* callback, PyObject* submission) {
    std::unique_ptr<done_callback> made{new done_callback{callback, submission}};
    if (listeners.add(*made)) {
        static_cast<void>(made.release());  // `heard` takes it over
    } else {
        call(callback, submission);
    }
}

void done_callback::call(PyObject* callback, PyObject* submission) noexcept {
    if (PyObject* const returned = PyObject_CallOneArg(callback, submission)) {
        Py_DECREF(returned);
    } else {
        PyErr_WriteUnraisable(callback);
    }
}

void done_callback::heard(end_listener* self) noexcept {
    auto* const mine = static_cast<done_callback*>(self);
    if (driver_callback_scope::is_entered()) {
        run_later(mine);
    } else {
        run(mine);
    }
}

void done_callback::run(done_callback* self) noexcept {
    outliving_interpreter([self] {
        if (const gil_if_alive gil; gil) {
            call(self->callback_.ptr(), self->submission_.ptr());
            delete self;
        }  // else left to the end of the process
    });
}

namespace {

/// A thread that may wait for the GIL in place of a driver's, which must not. It never ends.
class messenger {
  public:
    using message = void (*)(void* data) noexcept;

    static messenger& instance() {
        static messenger* const only = new messenger;
        return *only;
    }
    void send(message call, void* data) {
        {
            std::lock_guard lock{mutex_};
            messages_.emplace_back(call, data);
        }
        sent_.notify_one();
    }

  private:
    messenger() {
        std::thread{[this] { run(); }}.detach();
    }

    [[noreturn]] void run() {
        while (true) {
            std::unique_lock lock{mutex_};
            sent_.wait(lock, [this] { return !messages_.empty(); });
            const auto [call, data] = messages_.front();
            messages_.pop_front();
            lock.unlock();
            call(data);
        }
    }

    std::mutex mutex_;
    std::condition_variable sent_;
    std::deque<std::pair<message, void*>> messages_;
};

}  // namespace

void done_callback::run_later(done_callback* self) {
    messenger::instance().send([](void* data) noexcept { run(static_cast<done_callback*>(data)); },
                               self);
}

}  // namespace fairlead::python
