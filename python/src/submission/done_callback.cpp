// SPDX-License-Identifier: Apache-2.0
// Calls done callbacks; for a driver's thread, which must not wait for the GIL, on another thread.
#include "submission/done_callback.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace pointsman::python {
namespace {

/// A thread that waits for the GIL in place of a driver's thread, which must not. It never ends.
class messenger {
  public:
    static messenger& instance() {
        static messenger* const only = new messenger;
        return *only;
    }

    /// Starts the thread, which `send` needs, at the first call. **Throws**: `std::system_error`.
    void prepare() {
        std::lock_guard lock{mutex_};
        if (!is_started_) {
            std::thread{[this] { run(); }}.detach();
            is_started_ = true;
        }
    }
    /// Notifies `listener` on the thread.
    void send(end_listener& listener) noexcept {
        {
            std::lock_guard lock{mutex_};
            listener.next = nullptr;
            *end_ = &listener;
            end_ = &listener.next;
        }
        sent_.notify_one();
    }

  private:
    messenger() = default;

    [[noreturn]] void run() {
        while (true) {
            end_listener* const first = next();
            first->notify(first);
        }
    }
    end_listener* next() {
        std::unique_lock lock{mutex_};
        sent_.wait(lock, [this] { return first_ != nullptr; });
        end_listener* const first = std::exchange(first_, first_->next);
        if (first_ == nullptr) {
            end_ = &first_;
        }
        return first;
    }

    std::mutex mutex_;
    std::condition_variable sent_;
    end_listener* first_ = nullptr;
    end_listener** end_ = &first_;
    bool is_started_ = false;
};

}  // namespace

void done_callback::add(pending_work& work, PyObject* callback, PyObject* submission) {
    if (work.native() != nullptr && work.native()->called_by_driver) {
        messenger::instance().prepare();
    }
    std::unique_ptr<done_callback> made{new done_callback{callback, submission}};
    if (work.listeners().add(*made)) {
        static_cast<void>(made.release());  // `on_end` takes ownership
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

void done_callback::on_end(end_listener* self) noexcept {
    auto* const mine = static_cast<done_callback*>(self);
    if (driver_callback_scope::is_entered()) {
        messenger::instance().send(*mine);
    } else {
        run(mine);
    }
}

void done_callback::run(done_callback* self) noexcept {
    if (const gil_if_alive gil; gil) {
        call(self->callback_.ptr(), self->submission_.ptr());
        delete self;
    }  // else leaked: the interpreter shuts down
}

}  // namespace pointsman::python
