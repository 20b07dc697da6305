// SPDX-License-Identifier: Apache-2.0
// Shared by the OpenCL tests: a queue, a gate that holds commands back, and a listener.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <vector>

#include "pointsman/resource/opencl/default_queues.hpp"

namespace pointsman::test {

/// Skips its tests if there is no device.
class OpenclTest : public testing::Test {
  protected:
    void SetUp() override {
        if (opencl::devices().empty()) {
            GTEST_SKIP() << "no OpenCL device";
        }
        queue_.emplace();
    }

    opencl::queue& queue() { return *queue_; }

  private:
    std::optional<opencl::queue> queue_;
};

/// Holds back the commands that wait for it until it is opened or fails.
class gate {
  public:
    explicit gate(const opencl::queue& q) : event_{q.context()}, list_{event_} {}
    void open() { event_.setStatus(CL_COMPLETE); }
    void fail(cl_int code) { event_.setStatus(code); }
    const cl::UserEvent& event() const { return event_; }

    /// Enqueues a command on `q` that only waits for the gate.
    opencl::event enqueue_marker(const opencl::queue& q) const {
        return q.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
            commands.enqueueMarkerWithWaitList(&list_, done);
        });
    }

  private:
    cl::UserEvent event_;
    std::vector<cl::Event> list_;
};

/// Records the first completion and counts the calls.
struct listener {
    std::latch notified{1};
    std::atomic<int> calls{0};
    completion end{};

    completion_callback callback() {
        return {[](void* self, const completion& ended) noexcept {
                    static_cast<listener*>(self)->record(ended);
                },
                this};
    }

  private:
    void record(const completion& ended) noexcept {
        if (calls.fetch_add(1) == 0) {
            end = ended;
            notified.count_down();
        }
    }
};

inline constexpr const char* scale_source =
    "kernel void scale(global float* values, float factor) {"
    "    values[get_global_id(0)] *= factor;"
    "}";

/// Returns the contents of a device buffer of floats.
inline std::vector<float> read(const opencl::queue& q, const cl::Buffer& buffer) {
    std::vector<float> values(buffer.getInfo<CL_MEM_SIZE>() / sizeof(float));
    q.handle().enqueueReadBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(float), values.data());
    return values;
}

/// Returns a device buffer with `count` copies of `value`.
inline cl::Buffer filled(const opencl::queue& q, std::size_t count, float value) {
    std::vector<float> values(count, value);
    return {q.context(), values.begin(), values.end(), false};
}

}  // namespace pointsman::test
