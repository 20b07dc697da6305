// SPDX-License-Identifier: Apache-2.0
// One context for each device without a group, replaced when it turns out to be lost.
#pragma once

#include <map>
#include <mutex>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::opencl::detail {

/// The contexts of `context_of`, by device.
/// **Thread safety**: from any thread.
class single_contexts {
  public:
    static single_contexts& instance() {
        // Never destroyed: the order of destruction relative to drivers is not known.
        static auto* const only = new single_contexts;
        return *only;
    }

    /// The device's context, made at the first call and again when a suspected one turns out to be lost.
    /// **Throws**: `opencl::error`.
    [[nodiscard]] cl::Context get(const cl::Device& device) {
        std::unique_lock lock{mutex_};
        entry& known = contexts_[device()];  // never erased: it stays where it is
        if (known.is_suspect) {
            const cl::Context suspect = known.context;
            lock.unlock();  // a lost device may answer late
            const bool is_alive = runs_a_command(suspect, device);
            lock.lock();
            if (known.context() == suspect()) {
                known.is_suspect = false;
                known.context = is_alive ? suspect : cl::Context{};
            }
        }
        if (known.context() == nullptr) {
            known.context = translated([&] { return cl::Context{device}; });
        }
        return known.context;
    }

    /// Has `context` tried before its next use; without effect for other contexts than those of `get`.
    void suspect(const cl::Context& context) {
        const std::lock_guard lock{mutex_};
        for (auto& [device, known] : contexts_) {
            known.is_suspect = known.is_suspect || known.context() == context();
        }
    }

  private:
    struct entry {
        cl::Context context;
        bool is_suspect = false;
    };

    static bool runs_a_command(const cl::Context& context, const cl::Device& device) noexcept {
        try {
            const cl::CommandQueue commands{context, device};
            const cl::Buffer memory{context, CL_MEM_READ_WRITE, sizeof(cl_int)};
            const cl_int value = 0;
            commands.enqueueWriteBuffer(memory, CL_TRUE, 0, sizeof value, &value);
            return true;
        } catch (const cl::Error&) {
            return false;
        }
    }

    std::mutex mutex_;
    std::map<cl_device_id, entry> contexts_;
};

}  // namespace pointsman::opencl::detail
