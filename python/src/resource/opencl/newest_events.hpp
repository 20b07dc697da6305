// SPDX-License-Identifier: Apache-2.0
// Delays the exit of the process until PoCL has compiled the launched kernels.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "gil.hpp"
#include "no_gil_mutex.hpp"
#include "pointsman/binding/opencl.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::python {

/// The newest event of each queue of other packages. PoCL compiles a kernel at its first launch, in
/// another thread, and crashes if the process exits and destroys the compiler meanwhile. pointsman's
/// own queues handle this themselves.
/// **Thread safety**: any thread; GIL held.
class newest_events {
  public:
    static newest_events& instance() {
        static newest_events* const only = new newest_events;  // events outlive their driver's exit
        return *only;
    }

    /// **Throws**: `opencl::error`.
    void note(const cl::Event& event) {
        cl_command_queue queue = nullptr;
        clGetEventInfo(event(), CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
        if (queue == nullptr) {
            return;  // a user event
        }
        const std::lock_guard lock{mutex_};
        const auto known = newest_.find(queue);
        if (known == newest_.end()) {
            add(queue, event);
        } else if (known->second() != nullptr) {
            known->second = event;
        }
    }

    /// Waits at most ten seconds until every event's command has started. A forked child does not wait: it
    /// launched none of them.
    void await_start() const {
        if (binding::driver_mark().is_stale()) {
            return;
        }
        const auto launched = [this] {  // a copy: other threads may add events during the wait
            const std::lock_guard lock{mutex_};
            return newest_;
        }();
        const gil_released others_may_run;
        const auto deadline = clock::now() + std::chrono::seconds{10};
        for (const auto& [queue, event] : launched) {
            while (status_of(event) > CL_RUNNING && clock::now() < deadline) {
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
            }
        }
    }

  private:
    static constexpr std::size_t few = 8;

    static cl_int status_of(const cl::Event& event) {
        return binding::command{.event = event}.status();
    }

    /// Only drivers that call back compile in this way: queues of other drivers get an empty event.
    void add(cl_command_queue queue, const cl::Event& event) {
        if (newest_.size() >= few) {
            std::erase_if(newest_, [](const auto& entry) { return status_of(entry.second) <= 0; });
        }
        const auto notice = binding::translated([&] {
            return binding::notice_for(cl::CommandQueue{queue, true}.getInfo<CL_QUEUE_DEVICE>());
        });
        newest_[queue] = notice == binding::notice::callback ? event : cl::Event{};
    }

    [[no_unique_address]] mutable no_gil_mutex mutex_;  // guards `newest_`
    std::unordered_map<cl_command_queue, cl::Event> newest_;
};

}  // namespace pointsman::python
