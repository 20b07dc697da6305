// SPDX-License-Identifier: Apache-2.0
// Keeps released device memory for later commands, since drivers allocate slowly.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/command.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"

namespace pointsman::opencl {

namespace detail {

/// Retains released buffers for later commands of one queue, up to a total size.
///
/// On an in-order queue, a command that still uses a released buffer runs before those of the next
/// user, so the buffer is reused at once. On an out-of-order queue it is reused when everything on the
/// queue at its release is complete; if those commands failed, the buffer is freed.
/// **Thread safety**: any member from any thread. A forked child keeps nothing and releases nothing.
class buffer_pool {
  public:
    buffer_pool(const cl::CommandQueue& commands, std::size_t most_kept_bytes)
        : commands_{commands},
          context_{commands.getInfo<CL_QUEUE_CONTEXT>()},
          out_of_order_{(commands.getInfo<CL_QUEUE_PROPERTIES>() &
                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0},
          largest_bytes_{static_cast<std::size_t>(
              commands.getInfo<CL_QUEUE_DEVICE>().getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>())},
          most_kept_bytes_{most_kept_bytes} {}

    /// The size granted for `size_bytes`: four sizes from each power of two to the next, so at most a
    /// quarter more than requested and no more than the device allocates.
    [[nodiscard]] std::size_t granted_bytes(std::size_t size_bytes) const noexcept {
        const std::size_t wanted = std::max(size_bytes, smallest_bytes);
        const std::size_t step = std::bit_floor(wanted) / 4;
        const std::size_t rounded = (wanted - 1) / step * step + step;
        return rounded > largest_bytes_ ? wanted : rounded;
    }

    /// A buffer of `granted` bytes with undefined contents.
    /// **Throws**: `cl::Error`, only after the kept buffers were freed.
    [[nodiscard]] owned<cl::Buffer> take(std::size_t granted) {
        if (owned<cl::Buffer> kept = take_kept(granted); kept() != nullptr) {
            return kept;
        }
        try {
            return cl::Buffer{context_, CL_MEM_READ_WRITE, granted};
        } catch (const cl::Error&) {
            if (clear() == 0) {
                throw;
            }
            return cl::Buffer{context_, CL_MEM_READ_WRITE, granted};
        }
    }

    /// When the pool is full, evicts the least recently used blocks first.
    void give_back(owned<cl::Buffer> memory, std::size_t granted) noexcept {
        if (driver_mark().is_stale() || granted > most_kept_bytes_) {
            return;
        }
        std::vector<entry> freed;  // released after the lock
        try {
            command all_complete = out_of_order_ ? mark() : command{};
            std::lock_guard lock{mutex_};
            freed.reserve(kept_.size() + 1);
            kept_.push_back({std::move(memory), std::move(all_complete), granted});
            kept_bytes_ += granted;
            auto first_to_stay = kept_.begin();
            for (; kept_bytes_ > most_kept_bytes_; ++first_to_stay) {
                kept_bytes_ -= first_to_stay->granted;
                freed.push_back(std::move(*first_to_stay));
            }
            kept_.erase(kept_.begin(), first_to_stay);
        } catch (const cl::Error&) {
        } catch (const std::bad_alloc&) {
        }
    }

    /// Frees all retained buffers, and returns their size in bytes.
    std::size_t clear() noexcept {
        std::vector<entry> freed;
        std::lock_guard lock{mutex_};
        freed.swap(kept_);
        return std::exchange(kept_bytes_, 0);
    }

    [[nodiscard]] std::size_t kept_bytes() const noexcept {
        std::lock_guard lock{mutex_};
        return kept_bytes_;
    }

  private:
    static constexpr std::size_t smallest_bytes = 1024;

    struct entry {
        owned<cl::Buffer> memory;
        command last_use;  // none: reusable at once
        std::size_t granted;

        [[nodiscard]] cl_int status() const noexcept {
            return last_use.event() == nullptr ? CL_COMPLETE : last_use.status();
        }
    };

    /// A marker that completes after everything on the queue.
    [[nodiscard]] command mark() const {
        command all_complete;
        commands_.enqueueMarkerWithWaitList(nullptr, &all_complete.event);
        commands_.flush();
        return all_complete;
    }

    /// The most recently used reusable buffer of that size, or null.
    [[nodiscard]] owned<cl::Buffer> take_kept(std::size_t granted) {
        std::lock_guard lock{mutex_};
        for (auto each = kept_.rbegin(); each != kept_.rend();) {
            const cl_int status = each->granted == granted ? each->status() : CL_QUEUED;
            if (status > CL_COMPLETE) {
                ++each;
                continue;
            }
            owned<cl::Buffer> found = std::move(each->memory);
            kept_bytes_ -= granted;
            each = std::make_reverse_iterator(kept_.erase(std::next(each).base()));
            if (status == CL_COMPLETE) {
                return found;
            }
        }
        return {};
    }

    owned<cl::CommandQueue> commands_;
    owned<cl::Context> context_;
    bool out_of_order_;
    std::size_t largest_bytes_;
    std::size_t most_kept_bytes_;
    mutable std::mutex mutex_;
    std::vector<entry> kept_;  // in order of release
    std::size_t kept_bytes_ = 0;
};

}  // namespace detail

/// Device memory for commands of the queue that it was taken from (`queue::take_buffer`). The destructor
/// returns it to the queue, even while the commands are still running. It keeps the queue alive.
/// **Thread safety**: a value; one thread at a time.
class pooled_buffer {
  public:
    /// Holds no memory.
    pooled_buffer() = default;
    /// **Throws**: `cl::Error`.
    pooled_buffer(std::shared_ptr<detail::buffer_pool> pool, std::size_t size_bytes)
        : pool_{std::move(pool)},
          size_bytes_{pool_->granted_bytes(size_bytes)},
          memory_{pool_->take(size_bytes_)} {}

    pooled_buffer(pooled_buffer&& other) noexcept { swap(other); }
    pooled_buffer& operator=(pooled_buffer&& other) noexcept {
        pooled_buffer{std::move(other)}.swap(*this);
        return *this;
    }
    ~pooled_buffer() {
        if (pool_) {
            pool_->give_back(std::move(memory_), size_bytes_);
        }
    }

    /// The buffer as an object of the Khronos bindings. A copy of it must not be used after this
    /// object.
    [[nodiscard]] const cl::Buffer& handle() const noexcept { return memory_; }
    /// The size granted, which may exceed the size requested.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return size_bytes_; }

  private:
    void swap(pooled_buffer& other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(size_bytes_, other.size_bytes_);
        std::swap(memory_, other.memory_);
    }

    std::shared_ptr<detail::buffer_pool> pool_;
    std::size_t size_bytes_ = 0;
    detail::owned<cl::Buffer> memory_;
};

}  // namespace pointsman::opencl
