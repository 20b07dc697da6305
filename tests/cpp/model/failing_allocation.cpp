// SPDX-License-Identifier: Apache-2.0
// This program's operators new, which can make a chosen allocation fail.
#include "model/failing_allocation.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace pointsman::test {
namespace {

struct countdown {
    bool armed = false;
    bool failed = false;
    std::size_t left = 0;
};
thread_local countdown next_failure;

void* allocate(std::size_t size, std::size_t alignment) {
    if (next_failure.armed && next_failure.left-- == 0) {
        next_failure.armed = false;
        next_failure.failed = true;
        throw std::bad_alloc{};
    }
    const std::size_t whole = (size + alignment) / alignment * alignment;
    if (void* const memory = std::aligned_alloc(alignment, whole)) {
        return memory;
    }
    throw std::bad_alloc{};
}

// Not inlined: the compiler would warn that this does not match `new`.
[[gnu::noinline]] void deallocate(void* memory) noexcept { std::free(memory); }

}  // namespace

failing_allocation::failing_allocation(std::size_t count) noexcept {
    next_failure = {.armed = true, .failed = false, .left = count};
}
failing_allocation::~failing_allocation() { next_failure = {}; }
bool failing_allocation::has_failed() const noexcept { return next_failure.failed; }

}  // namespace pointsman::test

// The other forms of new and delete call these.
void* operator new(std::size_t size) {
    return pointsman::test::allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return pointsman::test::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { pointsman::test::deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { pointsman::test::deallocate(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
    pointsman::test::deallocate(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    pointsman::test::deallocate(memory);
}
