// SPDX-License-Identifier: Apache-2.0
// Waitables of each completion kind whose completion is decided by a test.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "pointsman/submission/waitable_traits.hpp"

namespace pointsman::test {

/// The state shared by all handles to one piece of manual work.
class work_state {
  public:
    void end(completion how) {
        std::vector<completion_callback> callbacks;
        {
            std::lock_guard lock{mutex_};
            over_ = true;
            how_ = how;
            callbacks.swap(callbacks_);
        }
        ended_.notify_all();
        for (const auto& callback : callbacks) {
            callback(how);
        }
    }
    void wait() {
        std::unique_lock lock{mutex_};
        ++waits_;
        ended_.wait(lock, [this] { return over_; });
        if (!how_.succeeded) {
            throw std::runtime_error{"the work failed"};
        }
    }
    bool is_ready() {
        std::lock_guard lock{mutex_};
        return over_;
    }
    void on_completion(completion_callback callback) {
        {
            std::lock_guard lock{mutex_};
            if (!over_) {
                callbacks_.push_back(callback);
                return;
            }
        }
        callback(how_);
    }
    completion how() {
        std::lock_guard lock{mutex_};
        return how_;
    }
    int waits() {
        std::lock_guard lock{mutex_};
        return waits_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    std::vector<completion_callback> callbacks_;
    completion how_;
    bool over_ = false;
    int waits_ = 0;
};

/// The test's side of the work.
class manual_handle {
  public:
    void succeed(clock::time_point end = clock::now()) { state->end({.end = end}); }
    void fail() { state->end({.end = clock::now(), .succeeded = false}); }

    std::shared_ptr<work_state> state = std::make_shared<work_state>();
};

/// Work that calls back.
struct calling_work : manual_handle {
    void wait() { state->wait(); }
    bool is_ready() { return state->is_ready(); }
    void on_completion(completion_callback callback) { state->on_completion(callback); }
    completion outcome() { return state->how(); }
};

/// Returns completed work whose end is `cost` from now, without waiting that long.
inline calling_work ended_after(clock::duration cost) {
    calling_work work;
    work.succeed(clock::now() + cost);
    return work;
}

/// Work that can be polled.
struct polled_work : manual_handle {
    void wait() { state->wait(); }
    bool is_ready() { return state->is_ready(); }
    completion outcome() { return state->how(); }
};

/// Work that has only a wait().
struct waited_work : manual_handle {
    void wait() { state->wait(); }
};

}  // namespace pointsman::test
