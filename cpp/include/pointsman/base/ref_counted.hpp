// SPDX-License-Identifier: Apache-2.0
// Intrusive reference counting for objects that a submission, a watcher and a policy share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace pointsman::detail {

/// Base of shared objects. The count starts at one; `ref<T>::adopt` takes over this first reference.
///
/// Destroying an object may release the next object of a long chain. Beyond a fixed depth, destruction
/// is postponed until the outermost destruction has finished, so that the stack does not overflow.
/// **Thread safety**: counts from any thread; the last release destroys the object.
class ref_counted {
  public:
    ref_counted(const ref_counted&) = delete;
    ref_counted& operator=(const ref_counted&) = delete;

    void add_ref() const noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    /// Like `add_ref` without an atomic read-modify-write; only while no other thread has the object.
    void add_ref_unshared() const noexcept {
        references_.store(references_.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
    }
    /// Returns false if the last reference was already released.
    [[nodiscard]] bool add_ref_if_alive() const noexcept {
        std::size_t count = references_.load(std::memory_order_relaxed);
        while (count != 0 && (count & postponed_mark) == 0 &&
               !references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) {
        }
        return count != 0 && (count & postponed_mark) == 0;
    }
    /// Returns true if exactly `count` references are left; for callers that can account for all owners.
    [[nodiscard]] bool has_references(std::size_t count) const noexcept {
        return references_.load(std::memory_order_acquire) == count;
    }
    void release() const noexcept {
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            destroy();
        }
    }

  protected:
    ref_counted() = default;
    virtual ~ref_counted() = default;

  private:
    /// The depth of destructions on the calling thread, and the objects whose destruction is postponed.
    struct destructions {
        std::size_t depth;
        const ref_counted* postponed;
    };
    static constexpr std::size_t max_depth = 32;
    static inline constinit thread_local destructions destructions_here{};

    void destroy() const noexcept {
        destructions& here = destructions_here;
        if (here.depth == max_depth) [[unlikely]] {
            link_to(std::exchange(here.postponed, this));
            return;
        }
        ++here.depth;
        delete this;
        while (here.depth == 1 && here.postponed != nullptr) [[unlikely]] {
            const ref_counted* const next = here.postponed;
            here.postponed = next->linked();
            delete next;
        }
        --here.depth;
    }

    /// The count of an object whose destruction is postponed has this bit set; the other bits hold the
    /// address of the next object, which is even.
    static constexpr std::size_t postponed_mark = ~(~std::size_t{0} >> 1U);
    void link_to(const ref_counted* next) const noexcept {
        references_.store(reinterpret_cast<std::uintptr_t>(next) >> 1U | postponed_mark,
                          std::memory_order_relaxed);
    }
    [[nodiscard]] const ref_counted* linked() const noexcept {
        return reinterpret_cast<const ref_counted*>(references_.load(std::memory_order_relaxed)
                                                    << 1U);
    }

    mutable std::atomic<std::size_t> references_{1};
};

/// Owning pointer to a `ref_counted` object.
template <class T>
class ref {
  public:
    ref() = default;
    [[nodiscard]] static ref adopt(T* object) noexcept { return ref{object}; }
    [[nodiscard]] static ref share(T* object) noexcept {
        if (object != nullptr) {
            object->add_ref();
        }
        return ref{object};
    }

    /// Empty if the object's destruction has begun; its destructor must not have finished.
    [[nodiscard]] static ref share_if_alive(T* object) noexcept {
        return ref{object != nullptr && object->add_ref_if_alive() ? object : nullptr};
    }

    ref(const ref& other) noexcept : ref{share(other.object_)} {}
    ref(ref&& other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
    template <class U>
    ref(ref<U>&& other) noexcept : object_{other.detach()} {}
    ref& operator=(ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~ref() {
        if (object_ != nullptr) {
            object_->release();
        }
    }

    [[nodiscard]] T* get() const noexcept { return object_; }
    [[nodiscard]] T* detach() noexcept { return std::exchange(object_, nullptr); }
    T& operator*() const noexcept { return *object_; }
    T* operator->() const noexcept { return object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }

  private:
    explicit ref(T* object) noexcept : object_{object} {}
    T* object_ = nullptr;
};

/// Makes a new shared object.
template <class T, class... Args>
[[nodiscard]] ref<T> make_ref(Args&&... args) {
    return ref<T>::adopt(new T(std::forward<Args>(args)...));
}

/// A shared object in memory from an allocator, to which the memory is returned.
template <class T, class Allocator>
class allocated final : public T {
  public:
    template <class... Args>
    explicit allocated(const Allocator& source, Args&&... args)
        : T(std::forward<Args>(args)...), source_{source} {}

    static void operator delete(allocated* object, std::destroying_delete_t) {
        auto memory = rebound(object->source_);
        object->~allocated();
        std::allocator_traits<decltype(memory)>::deallocate(memory, object, 1);
    }
    static auto rebound(const Allocator& source) {
        return typename std::allocator_traits<Allocator>::template rebind_alloc<allocated>(source);
    }

  private:
    [[no_unique_address]] Allocator source_;
};

/// Makes a new shared object in memory of `source`, an allocator of any value type.
template <class T, class Allocator, class... Args>
[[nodiscard]] ref<T> allocate_ref(const Allocator& source, Args&&... args) {
    using object = allocated<T, Allocator>;
    auto memory = object::rebound(source);
    using traits = std::allocator_traits<decltype(memory)>;
    object* const address = std::to_address(traits::allocate(memory, 1));
    try {
        return ref<T>::adopt(::new (static_cast<void*>(address))
                                 object(source, std::forward<Args>(args)...));
    } catch (...) {
        traits::deallocate(memory, address, 1);
        throw;
    }
}

}  // namespace pointsman::detail
