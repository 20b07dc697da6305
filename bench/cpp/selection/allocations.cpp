// SPDX-License-Identifier: Apache-2.0
// Replaces operator new by a version that counts; the array and nothrow forms call it.
#include "allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constinit thread_local std::uint64_t allocated = 0;

void* counted(void* memory) {
    ++allocated;
    return memory != nullptr ? memory : throw std::bad_alloc{};
}

}  // namespace

std::uint64_t bench::allocations() noexcept { return allocated; }

void* operator new(std::size_t size) { return counted(std::malloc(size != 0 ? size : 1)); }

void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
