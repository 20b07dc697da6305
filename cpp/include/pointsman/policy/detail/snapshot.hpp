// SPDX-License-Identifier: Apache-2.0
// A shared object that is replaced atomically while other threads read it.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/policy/detail/hazard.hpp"
#include "pointsman/policy/detail/leftovers.hpp"

namespace pointsman::detail {

/// Keeps alive an object that was current in a `snapshot_cell`. May be moved, and destroyed in any thread.
/// **Cost**: none for the first snapshot that a thread holds; a reference count for further ones and copies.
template <class T>
class kept_snapshot {
  public:
    explicit kept_snapshot(ref<T> object) noexcept : object_{object.detach()} {}
    kept_snapshot(const kept_snapshot& other) noexcept
        : kept_snapshot{ref<T>::share(other.object_)} {}
    [[gnu::always_inline]] kept_snapshot(kept_snapshot&& other) noexcept
        : object_{std::exchange(other.object_, nullptr)},
          slot_{std::exchange(other.slot_, nullptr)} {}
    kept_snapshot& operator=(kept_snapshot other) noexcept {
        std::swap(object_, other.object_);
        std::swap(slot_, other.slot_);
        return *this;
    }
    [[gnu::always_inline]] ~kept_snapshot() {
        if (slot_ != nullptr) [[likely]] {
            slot_->store(nullptr, std::memory_order_release);
            leftovers::reader_ended(object_);
        } else if (object_ != nullptr) [[unlikely]] {
            release(object_);
        }
    }

    [[nodiscard]] T* get() const noexcept { return object_; }

  protected:
    /// `slot` is null if this holds a reference to the object instead.
    kept_snapshot(T* object, hazard_slot* slot) noexcept : object_{object}, slot_{slot} {}

    /// Replaces the protection by `slot`, which may be null, with a reference to the object.
    [[gnu::cold, gnu::noinline]] static void count(T* object, hazard_slot* slot) noexcept {
        if (slot != nullptr) {
            object->add_ref();
            slot->store(nullptr, std::memory_order_release);
            leftovers::reader_ended(object);
        }
    }

    T* object_;
    hazard_slot* slot_ = nullptr;

  private:
    [[gnu::cold, gnu::noinline]] static void release(T* object) noexcept { object->release(); }
};

/// Keeps the current object of a `snapshot_cell` alive until the end of a scope. Scopes of one thread may
/// end in any order.
template <class T>
class snapshot : kept_snapshot<T> {
    using base = kept_snapshot<T>;

  public:
    snapshot(const snapshot&) = delete;
    snapshot& operator=(const snapshot&) = delete;
    [[gnu::always_inline]] ~snapshot() = default;

    /// Returns a reference that any thread may keep; empty if this is empty.
    [[nodiscard]] ref<T> share() const noexcept { return ref<T>::share(this->object_); }

    /// Returns an object that protects for longer than this scope. This is empty afterwards.
    [[nodiscard, gnu::always_inline]] base keep() && noexcept {
        if (this->slot_ == nullptr || this->slot_ != block_->slots) [[unlikely]] {
            base::count(this->object_, this->slot_);  // further slots are for scopes only
            this->slot_ = nullptr;
        }
        return static_cast<base&&>(*this);
    }

    /// Returns the index of the calling thread; `no_thread` if it has none.
    [[nodiscard]] std::size_t thread() const noexcept {
        return block_ != nullptr ? block_->index : no_thread;
    }
    using base::get;
    T* operator->() const noexcept { return this->object_; }
    T& operator*() const noexcept { return *this->object_; }
    explicit operator bool() const noexcept { return this->object_ != nullptr; }

  private:
    template <class>
    friend class snapshot_cell;

    snapshot(T* object, const hazard_block* block, hazard_slot* slot) noexcept
        : base{object, slot}, block_{block} {}

    const hazard_block* const block_;
};

/// Holds the current object of type `T`, which derives from `ref_counted`.
///
/// **Thread safety**: `read` and `replace` from any thread. An object lives until its last owner and its
/// last reader have released it, even if it was replaced or the cell was destroyed.
/// **Cost**: `read` and its end are four loads and two plain stores.
template <class T>
class snapshot_cell {
  public:
    snapshot_cell() noexcept { announcement::prepare(); }
    snapshot_cell(const snapshot_cell&) = delete;
    snapshot_cell& operator=(const snapshot_cell&) = delete;
    /// The remaining readers are owners of a `kept_snapshot` and callers up the stack of this destructor.
    ~snapshot_cell() {
        static_cast<void>(unless_read(ref<T>::adopt(current_.load(std::memory_order_acquire))));
        for (ref<T>& old : retired_) {
            static_cast<void>(unless_read(std::move(old)));
        }
    }

    /// Returns true if there is no object yet.
    [[nodiscard]] bool empty() const noexcept {
        return current_.load(std::memory_order_acquire) == nullptr;
    }

    /// Returns the current object; null if there is none yet.
    [[nodiscard, gnu::always_inline]] snapshot<T> read() const noexcept {
        return read([]() noexcept {});
    }
    /// As above, but calls `when_empty`, which may throw, if there is no object yet.
    template <class WhenEmpty>
    [[nodiscard, gnu::always_inline]] snapshot<T> read(WhenEmpty when_empty) const
        noexcept(noexcept(when_empty())) {
        T* object = current_.load(std::memory_order_acquire);
        if (object == nullptr) [[unlikely]] {
            when_empty();
            return {nullptr, nullptr, nullptr};
        }
        hazard_block* const block = hazard_registry::block();
        if (block == nullptr || block->slots[0].load(std::memory_order_relaxed) != nullptr)
            [[unlikely]] {
            const auto found = read_further(block);
            return {found.object, block, found.slot};
        }
        announcement::make(block->slots[0], object);
        if (current_.load() != object) [[unlikely]] {
            block->slots[0].store(nullptr, std::memory_order_release);
            leftovers::reader_ended(object);
            const auto found = read_further(block);
            return {found.object, block, found.slot};
        }
        return {object, block, block->slots};
    }

    /// Makes `next` the current object. Returns the replaced objects that no thread reads any more; the
    /// caller releases them when it holds no lock.
    std::vector<ref<T>> replace(ref<T> next) {
        std::vector<ref<T>> unread;
        std::lock_guard lock{mutex_};
        retired_.reserve(retired_.size() + 1);  // nothing may throw from here
        unread.reserve(retired_.size() + 1);
        retired_.push_back(ref<T>::adopt(current_.exchange(next.detach())));
        if (!announcement::writer_barrier()) {
            return unread;
        }
        for (ref<T>& old : retired_) {
            unread.push_back(unless_read(std::move(old)));
        }
        retired_.clear();
        return unread;
    }

  private:
    struct reading {
        T* object;
        hazard_slot* slot;
    };
    /// Reads with another slot, or after the object was replaced during the first attempt.
    [[nodiscard, gnu::cold, gnu::noinline]] reading read_further(
        hazard_block* block) const noexcept {
        hazard_slot* const slot = block != nullptr ? block->free_slot() : nullptr;
        if (slot == nullptr) {
            return {reference(), nullptr};
        }
        for (T* object = current_.load();;) {
            announcement::make(*slot, object);
            T* const again = current_.load();
            if (again == object) {
                return {object, slot};
            }
            slot->store(nullptr, std::memory_order_release);
            leftovers::reader_ended(std::exchange(object, again));
        }
    }

    /// Returns `old`, or an empty reference if a thread reads it: its last reader then frees it.
    [[nodiscard]] static ref<T> unless_read(ref<T> old) noexcept {
        if (old && hazard_registry::in_use(old.get())) {
            leftovers::add(std::move(old));
        }
        return old;
    }

    /// Returns the current object with one more reference, which the caller releases.
    [[nodiscard]] T* reference() const noexcept {
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

}  // namespace pointsman::detail
