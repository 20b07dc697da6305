// SPDX-License-Identifier: Apache-2.0
// A shared object that is replaced atomically while other threads read it.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "fairlead/policy/detail/hazard.hpp"
#include "fairlead/submission/ref_counted.hpp"

namespace fairlead::detail {

/// The current object of a `snapshot_cell`, protected from being let go until the end of this scope.
/// It belongs to the scope that made it; scopes of one thread may end in any order.
template <class T>
class snapshot {
  public:
    snapshot(const snapshot&) = delete;
    snapshot& operator=(const snapshot&) = delete;
    [[gnu::always_inline]] ~snapshot() {
        if (slot_ != nullptr) [[likely]] {
            slot_->store(nullptr, std::memory_order_release);
        } else {
            release();
        }
    }

    /// A reference, fit for any thread and any time; empty like this.
    [[nodiscard]] ref<T> share() const noexcept { return ref<T>::share(object_); }

    /// Index of the calling thread; `no_thread` when it has none.
    [[nodiscard]] std::size_t thread() const noexcept {
        return block_ != nullptr ? block_->index : no_thread;
    }
    [[nodiscard]] T* get() const noexcept { return object_; }
    T* operator->() const noexcept { return object_; }
    T& operator*() const noexcept { return *object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }

  private:
    template <class>
    friend class snapshot_cell;

    snapshot(T* object, const hazard_block* block, hazard_slot* slot) noexcept
        : object_{object}, block_{block}, slot_{slot} {}

    [[gnu::cold, gnu::noinline]] void release() const noexcept {
        if (object_ != nullptr) {
            object_->release();
        }
    }

    T* const object_;
    const hazard_block* const block_;
    hazard_slot* const slot_;  // null for an object that is held by a reference instead
};

/// Holds the current object of type `T`, which derives from `ref_counted`.
///
/// **Thread safety**: `read` and `replace` from any thread. A replaced object lives until its last
/// owner and its last reader are gone; one that is being read when it is replaced is let go at the
/// next `replace`, or with the cell.
/// **Cost**: `read` and its end are four loads and two plain stores.
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

    /// Whether there is no object yet.
    [[nodiscard]] bool empty() const noexcept {
        return current_.load(std::memory_order_acquire) == nullptr;
    }

    /// The current object; null when there is none yet.
    [[nodiscard, gnu::always_inline]] snapshot<T> read() const noexcept {
        return read([]() noexcept {});
    }
    /// The same; `when_empty` is called before when there is none yet, and may throw.
    template <class WhenEmpty>
    [[nodiscard, gnu::always_inline]] snapshot<T> read(WhenEmpty when_empty) const
        noexcept(noexcept(when_empty())) {
        T* object = current_.load(std::memory_order_acquire);
        if (object == nullptr) [[unlikely]] {
            when_empty();
            return {nullptr, nullptr, nullptr};
        }
        hazard_block* const block = hazard_registry::block();
        hazard_slot* const slot = block != nullptr ? block->free_slot() : nullptr;
        if (slot == nullptr) [[unlikely]] {
            return {reference(), block, nullptr};
        }
        while (true) {
            announcement::make(*slot, object);
            T* const again = current_.load();
            if (again == object) {
                return {object, block, slot};
            }
            object = again;
        }
    }

    /// Gives back what nobody reads any more, to be let go when the caller holds no lock.
    std::vector<ref<T>> replace(ref<T> next) {
        std::vector<ref<T>> unread;
        std::lock_guard lock{mutex_};
        retired_.reserve(retired_.size() + 1);  // nothing may throw from here
        unread.reserve(retired_.size() + 1);
        retired_.push_back(ref<T>::adopt(current_.exchange(next.detach())));
        if (!announcement::writer_barrier()) {
            return unread;
        }
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
    /// The current object, to be released by the caller.
    [[gnu::cold, gnu::noinline]] T* reference() const noexcept {
        std::lock_guard lock{mutex_};
        T* const object = current_.load(std::memory_order_acquire);
        if (object != nullptr) {
            object->add_ref();
        }
        return object;
    }

    std::atomic<T*> current_{nullptr};
    mutable std::mutex mutex_;
    std::vector<ref<T>> retired_;
};

}  // namespace fairlead::detail
