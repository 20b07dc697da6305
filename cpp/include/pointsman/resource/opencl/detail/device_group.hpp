// SPDX-License-Identifier: Apache-2.0
// Devices that share a context, released when the driver no longer uses them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/program_cache.hpp"

namespace pointsman::opencl::detail {

/// The context that some devices share and, if they are parts of another device, the parts.
///
/// In PoCL 3.1, contexts, queues and events hold no references to devices: it frees a sub-device with the
/// program's last reference, although a driver thread may be about to release the last command. So a group
/// that is no longer needed is *retired*: it keeps its references until its reference to the context is the
/// only one left. Then no queue, command or buffer refers to the context or to a device in it, and none
/// can be made. The context is released first, then the sub-devices.
class device_group {
  public:
    using list = std::vector<std::shared_ptr<const device_group>>;

    /// `owners` are the groups that keep `devices`, or the devices they are parts of, alive.
    /// **Throws**: `cl::Error`.
    [[nodiscard]] static std::shared_ptr<const device_group> make(std::vector<cl::Device> devices,
                                                                  list owners) {
        return {new device_group{std::move(devices), std::move(owners)}, &retire};
    }

    [[nodiscard]] const cl::Context& context() const noexcept { return context_; }

    /// The place of a part among the parts that were made with it.
    struct place {
        std::size_t index;
        std::size_t size;
        const device_group* of_whole;  ///< of the device that was split; null if that has none
    };
    /// Empty for a part that is not a member of this group.
    [[nodiscard]] std::optional<place> place_of(const cl::Device& part) const {
        const auto found = std::ranges::find(devices_, part(), [](auto& each) { return each(); });
        if (found == devices_.end()) {
            return std::nullopt;
        }
        for (const auto& owner : owners_) {  // an owner that has the part made it
            if (const auto earlier = owner ? owner->place_of(part) : std::nullopt) {
                return earlier;
            }
        }
        return place{static_cast<std::size_t>(found - devices_.begin()), devices_.size(),
                     owners_.front().get()};
    }

    /// Releases every retired group that the driver no longer uses.
    static void collect() noexcept {
        device_group* done = retired::instance().take_finished();
        while (done != nullptr) {
            delete std::exchange(done, done->next_);
        }
    }

  private:
    device_group(std::vector<cl::Device> devices, list owners)
        : owners_{std::move(owners)}, devices_{std::move(devices)}, context_{devices_} {
        static_cast<void>(retired::instance());
    }

    /// The groups that their drivers may still use. Never destroyed; nothing is released during process
    /// exit, since a driver may already be unloaded.
    class retired {
      public:
        static retired& instance() {
            static retired* const only = [] {
                auto* made = new retired;
                std::atexit([] { instance().close(); });
                return made;
            }();
            return *only;
        }

        void add(device_group* group) noexcept {
            std::lock_guard lock{mutex_};
            group->next_ = std::exchange(first_, group);
        }

        [[nodiscard]] device_group* take_finished() noexcept {
            std::lock_guard lock{mutex_};
            device_group* finished = nullptr;
            for (device_group** at = &first_; *at != nullptr && !is_closed_;) {
                if ((*at)->holds_last_reference()) {
                    device_group* const found = std::exchange(*at, (*at)->next_);
                    found->next_ = std::exchange(finished, found);
                } else {
                    at = &(*at)->next_;
                }
            }
            return finished;
        }

      private:
        void close() noexcept {
            std::lock_guard lock{mutex_};
            is_closed_ = true;
        }

        std::mutex mutex_;
        device_group* first_ = nullptr;
        bool is_closed_ = false;
    };

    static void retire(device_group* group) noexcept {
        if (driver_mark().is_stale()) {
            return;  // the group belongs to the parent
        }
        program_cache::instance().forget(group->context_);
        retired::instance().add(group);
        collect();
    }

    /// Returns true if the only reference to the context is this group's own.
    [[nodiscard]] bool holds_last_reference() const noexcept {
        cl_uint references = 0;
        return clGetContextInfo(context_(), CL_CONTEXT_REFERENCE_COUNT, sizeof references,
                                &references, nullptr) == CL_SUCCESS &&
               references == 1;
    }

    // In this order, so that they are destroyed in reverse.
    list owners_;
    std::vector<cl::Device> devices_;
    cl::Context context_;
    device_group* next_ = nullptr;
};

}  // namespace pointsman::opencl::detail
