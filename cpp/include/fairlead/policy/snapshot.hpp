// SPDX-License-Identifier: Apache-2.0
// A shared object that is replaced atomically while other threads read it.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "fairlead/policy/detail/hazard.hpp"
#include "fairlead/submission/ref_counted.hpp"

namespace fairlead::detail {

/// Pointer to the current object of a `snapshot_cell`: borrowed through a hazard slot, which is
/// cheap but bound to the thread that made it, or owning a reference.
template <class T>
class snapshot {
  public:
    snapshot() = default;
    snapshot(snapshot&& other) noexcept
        : object_{std::exchange(other.object_, nullptr)},
          block_{std::exchange(other.block_, nullptr)},
          slot_{other.slot_} {}
    snapshot& operator=(snapshot&& other) noexcept {
        std::swap(object_, other.object_);
        std::swap(block_, other.block_);
        std::swap(slot_, other.slot_);
        return *this;
    }
    /// A copy always owns.
    snapshot(const snapshot& other) noexcept : object_{other.object_} {
        if (object_ != nullptr) {
            object_->add_ref();
        }
    }
    snapshot& operator=(const snapshot& other) noexcept { return *this = snapshot{other}; }
    [[gnu::always_inline]] ~snapshot() {
        if (block_ != nullptr) {
            unpin();
        } else if (object_ != nullptr) {
            object_->release();
        }
    }

    /// Turns a borrowed pointer into an owning one, fit for any thread.
    void own() noexcept {
        if (block_ != nullptr && object_ != nullptr) {
            object_->add_ref();
            unpin();
        }
    }

    /// Index of the thread that borrows; `no_thread` when the object is owned.
    [[nodiscard]] std::size_t thread() const noexcept {
        return block_ != nullptr ? block_->index : no_thread;
    }
    [[nodiscard]] bool owns() const noexcept { return object_ != nullptr && block_ == nullptr; }
    [[nodiscard]] T* get() const noexcept { return object_; }
    T* operator->() const noexcept { return object_; }
    T& operator*() const noexcept { return *object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }

  private:
    template <class>
    friend class snapshot_cell;

    snapshot(T* object, hazard_block* block, std::size_t slot) noexcept
        : object_{object}, block_{block}, slot_{slot} {}

    [[gnu::always_inline]] void unpin() noexcept {
        block_->slots[slot_].store(nullptr, std::memory_order_release);
        while (block_->depth > 0 &&
               block_->slots[block_->depth - 1].load(std::memory_order_relaxed) == nullptr) {
            --block_->depth;
        }
        block_ = nullptr;
    }

    T* object_ = nullptr;
    hazard_block* block_ = nullptr;
    std::size_t slot_ = 0;
};

/// Holds the current object of type `T`, which derives from `ref_counted`.
///
/// **Thread safety**: `read` and `replace` from any thread. A replaced object lives until its last
/// owner and its last reader are gone; one that is being read when it is replaced is let go at the
/// next `replace`, or with the cell.
/// **Cost**: `read` is two loads and two plain stores.
template <class T>
class snapshot_cell {
  public:
    snapshot_cell() noexcept { announcement::prepare(); }
    snapshot_cell(const snapshot_cell&) = delete;
    snapshot_cell& operator=(const snapshot_cell&) = delete;
    ~snapshot_cell() {
        if (T* last = current_.load(std::memory_order_acquire)) {
            last->release();
        }
    }

    /// The current object, borrowed; empty when there is none yet.
    [[nodiscard, gnu::always_inline]] snapshot<T> read() const noexcept {
        hazard_block* const block = hazard_registry::block();
        if (block == nullptr || block->depth == hazard_block::depth_limit) {
            return read_slowly();
        }
        const std::size_t slot = block->depth;
        T* object = current_.load(std::memory_order_acquire);
        while (true) {
            if (object == nullptr) {
                block->slots[slot].store(nullptr, std::memory_order_release);
                return {};
            }
            announcement::store(block->slots[slot], object);
            T* const again = current_.load();
            if (again == object) {
                break;
            }
            object = again;
        }
        block->depth = slot + 1;
        return {object, block, slot};
    }

    /// Gives back what nobody reads any more, to be let go when the caller holds no lock.
    std::vector<ref<T>> replace(ref<T> next) {
        std::vector<ref<T>> unread;
        std::lock_guard lock{mutex_};
        retired_.push_back(ref<T>::adopt(current_.exchange(next.detach())));
        announcement::writer_barrier();
        std::erase_if(retired_, [&](ref<T>& old) {
            if (old && hazard_registry::in_use(old.get())) {
                return false;
            }
            unread.push_back(std::move(old));
            return true;
        });
        return unread;
    }

  private:
    [[gnu::cold, gnu::noinline]] snapshot<T> read_slowly() const noexcept {
        std::lock_guard lock{mutex_};
        T* const object = current_.load(std::memory_order_acquire);
        if (object == nullptr) {
            return {};
        }
        object->add_ref();
        return {object, nullptr, 0};
    }

    std::atomic<T*> current_{nullptr};
    mutable std::mutex mutex_;
    std::vector<ref<T>> retired_;
};

}  // namespace fairlead::detail
