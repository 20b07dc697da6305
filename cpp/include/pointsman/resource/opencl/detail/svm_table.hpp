// SPDX-License-Identifier: Apache-2.0
// Finds the shared virtual memory that contains a host address.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"

namespace pointsman::opencl::detail {

/// An allocation of shared virtual memory and the buffer over it. It is mapped for the host, on a queue
/// of its own, except while it is lent to commands.
/// **Thread safety**: any member from any thread. A forked child leaves it to its parent.
class svm_block {
  public:
    /// **Throws**: `cl::Error`, with `CL_MAP_FAILURE` if the driver maps the buffer to another address.
    svm_block(const cl::Context& context, const cl::Device& device,
              std::shared_ptr<std::byte> memory, std::size_t size_bytes)
        : memory_{std::move(memory)},
          size_bytes_{size_bytes},
          queue_{cl::CommandQueue{context, device}},
          buffer_{cl::Buffer{context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size_bytes,
                             memory_.get()}} {
        if (map() != address()) {
            throw cl::Error{CL_MAP_FAILURE, "clEnqueueMapBuffer of shared virtual memory"};
        }
    }
    svm_block(const svm_block&) = delete;
    svm_block& operator=(const svm_block&) = delete;
    ~svm_block() {
        if (!driver_mark().is_stale() && clEnqueueUnmapMemObject(queue_(), buffer_(), address(), 0,
                                                                 nullptr, nullptr) == CL_SUCCESS) {
            clFinish(queue_());
        }
    }

    [[nodiscard]] std::byte* address() const noexcept { return memory_.get(); }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return size_bytes_; }
    [[nodiscard]] const cl::Buffer& buffer() const noexcept { return buffer_; }

    /// Unmaps the block for the first user, so that the device can use it. **Throws**: `cl::Error`.
    void lend() {
        std::lock_guard lock{mutex_};
        if (users_ == 0) {
            queue_.enqueueUnmapMemObject(buffer_, address());
            queue_.finish();
        }
        ++users_;
    }
    /// Called when the commands of one user are complete: maps the block for the host after the last.
    void take_back() noexcept {
        std::lock_guard lock{mutex_};
        if (--users_ == 0) {
            map();
        }
    }

  private:
    void* map() noexcept {
        return clEnqueueMapBuffer(queue_(), buffer_(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                  size_bytes_, 0, nullptr, nullptr, nullptr);
    }

    std::shared_ptr<std::byte> memory_;  // outlives the buffer
    std::size_t size_bytes_;
    owned<cl::CommandQueue> queue_;
    owned<cl::Buffer> buffer_;
    std::mutex mutex_;
    std::size_t users_ = 0;
};

/// A block that commands of a queue use. Its destructor waits for them.
class svm_loan {
  public:
    /// Holds no block.
    svm_loan() = default;
    /// **Throws**: `cl::Error`.
    svm_loan(std::shared_ptr<svm_block> block, const cl::CommandQueue& commands)
        : commands_{commands} {
        block->lend();
        block_ = std::move(block);
    }
    svm_loan(svm_loan&& other) noexcept = default;
    svm_loan& operator=(svm_loan&& other) noexcept {
        std::swap(block_, other.block_);
        std::swap(commands_, other.commands_);
        return *this;
    }
    ~svm_loan() {
        if (block_ && !driver_mark().is_stale()) {
            clFinish(commands_());
            block_->take_back();
        }
    }

    explicit operator bool() const noexcept { return block_ != nullptr; }

  private:
    std::shared_ptr<svm_block> block_;
    owned<cl::CommandQueue> commands_;
};

/// The table of all blocks of the process.
/// **Thread safety**: any member from any thread.
class svm_table {
  public:
    /// Never destroyed, so that blocks may be freed at exit.
    static svm_table& instance() {
        static auto* const table = new svm_table;
        return *table;
    }

    /// **Throws**: `std::bad_alloc`.
    void add(std::shared_ptr<svm_block> block) {
        std::lock_guard lock{mutex_};
        const auto begin = key_of(block->address());
        blocks_.emplace(begin, std::move(block));
        size_ = blocks_.size();
    }
    void remove(const void* address) noexcept {
        std::shared_ptr<svm_block> last;  // destroyed after the lock
        std::lock_guard lock{mutex_};
        if (const auto found = blocks_.find(key_of(address)); found != blocks_.end()) {
            last = std::move(found->second);
            blocks_.erase(found);
        }
        size_ = blocks_.size();
    }

    /// The block of `context` that contains all `size_bytes` from `first` on, or null.
    /// **Cost**: a load if there is no block at all; otherwise a search under a lock.
    [[nodiscard]] std::shared_ptr<svm_block> find(const void* first, std::size_t size_bytes,
                                                  const cl::Context& context) const {
        if (size_ == 0) {
            return nullptr;
        }
        std::lock_guard lock{mutex_};
        const auto past = blocks_.upper_bound(key_of(first));
        if (past == blocks_.begin()) {
            return nullptr;
        }
        const auto& [begin, block] = *std::prev(past);
        const std::size_t offset = key_of(first) - begin;
        const bool has_all =
            offset <= block->size_bytes() && size_bytes <= block->size_bytes() - offset;
        return has_all && block->buffer().getInfo<CL_MEM_CONTEXT>() == context ? block : nullptr;
    }

  private:
    static std::uintptr_t key_of(const void* address) noexcept {
        return reinterpret_cast<std::uintptr_t>(address);
    }

    mutable std::mutex mutex_;
    std::map<std::uintptr_t, std::shared_ptr<svm_block>> blocks_;  // by first address
    std::atomic<std::size_t> size_{0};
};

}  // namespace pointsman::opencl::detail
