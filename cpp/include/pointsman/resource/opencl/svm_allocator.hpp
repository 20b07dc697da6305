// SPDX-License-Identifier: Apache-2.0
// Allocates containers in shared virtual memory, which host and device access without copies.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/detail/svm_table.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/resource/opencl/queue.hpp"

#ifndef CL_VERSION_2_0
#error \
    "shared virtual memory needs a CL_TARGET_OPENCL_VERSION of 200 or more; or include pointsman first"
#endif

namespace pointsman::opencl {

/// Allocates shared virtual memory of a queue's device for a container. Algorithms under a `device_policy`
/// of a queue in the same context work on it without a copy. To the host it is ordinary memory.
///
/// A block is shared as a whole: while an algorithm uses part of it on a device, the host must not access
/// any of it, until all algorithms that use it on a device have returned.
/// **Needs**: coarse-grained shared virtual memory (`CL_DEVICE_SVM_COARSE_GRAIN_BUFFER`).
/// **Thread safety**: a value; any thread.
/// **Cost**: for each block, a command queue and an allocation on the device: milliseconds.
/// **Example**:
///
///     std::vector<float, pointsman::opencl::svm_allocator<float>> x(1'000'000, q);
///     pointsman::sort(pointsman::execution::make_device_policy(q), x.begin(), x.end());
template <class T>
class svm_allocator {
  public:
    using value_type = T;
    using propagate_on_container_copy_assignment = std::true_type;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    /// **Throws**: `invalid_option` if the device of `where` has no such memory; `opencl::error`.
    svm_allocator(queue where) : where_{std::move(where)} {
        detail::check_not_forked();
        cl_bitfield kinds = 0;  // remains 0 if the driver does not support the query
        clGetDeviceInfo(where_.device().handle()(), CL_DEVICE_SVM_CAPABILITIES, sizeof kinds,
                        &kinds, nullptr);
        if ((kinds & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) == 0) {
            throw invalid_option{where_.device().label() +
                                 " has no coarse-grained shared virtual memory: pass ordinary "
                                 "memory of the host, or "
                                 "an opencl::buffer, which stays on the device between calls"};
        }
    }
    template <class U>
    svm_allocator(const svm_allocator<U>& other) noexcept : where_{other.where()} {}

    /// **Throws**: `opencl::error`, `std::bad_array_new_length`; `forked_process` in a child that was forked
    /// after the first use of OpenCL.
    [[nodiscard]] T* allocate(std::size_t count) {
        detail::check_not_forked();
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::bad_array_new_length{};
        }
        const std::size_t size_bytes = count * sizeof(T);
        return detail::translated(
            [&] {
                auto block = std::make_shared<detail::svm_block>(
                    where_.context(), where_.device().handle(), memory_of(size_bytes), size_bytes);
                auto* const address = reinterpret_cast<T*>(block->address());
                detail::svm_table::instance().add(std::move(block));
                return address;
            },
            [&] {
                return std::to_string(size_bytes) + " bytes of shared virtual memory on " +
                       where_.device().label() + ": ";
            });
    }
    void deallocate(T* address, std::size_t) noexcept {
        if (!detail::driver_mark().is_stale()) {
            detail::svm_table::instance().remove(address);
        }
    }

    /// The queue given to the constructor.
    [[nodiscard]] const queue& where() const noexcept { return where_; }

    template <class U>
    friend bool operator==(const svm_allocator& a, const svm_allocator<U>& b) {
        return a.where() == b.where();
    }

  private:
    [[nodiscard]] std::shared_ptr<std::byte> memory_of(std::size_t size_bytes) const {
        const detail::owned<cl::Context> context{where_.context()};
        void* const memory = clSVMAlloc(context(), CL_MEM_READ_WRITE, size_bytes, 0);
        if (memory == nullptr) {
            throw cl::Error{CL_MEM_OBJECT_ALLOCATION_FAILURE, "clSVMAlloc"};
        }
        return {static_cast<std::byte*>(memory), [context](std::byte* no_longer_used) {
                    if (!detail::driver_mark().is_stale()) {
                        clSVMFree(context(), no_longer_used);
                    }
                }};
    }

    queue where_;
};

}  // namespace pointsman::opencl
