// SPDX-License-Identifier: Apache-2.0
// An array in a device's memory that stays there between calls.
#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::opencl {

template <class T>
class buffer_iterator;

/// `size` values of type `T`, for the device of a queue and the devices that share its context. It is a
/// handle: copies refer to the same array. Pass `pointsman::begin(b)` and `pointsman::end(b)` to
/// algorithms.
/// **Thread safety**: any member except assignment may be called from any thread.
/// **Example**:
///
///     pointsman::opencl::buffer<float> x{queue, host_values};
///     pointsman::transform(policy, pointsman::begin(x), pointsman::end(x), pointsman::begin(x), twice);
///     x.read(queue, host_values);
template <class T>
    requires std::is_trivially_copyable_v<T>
class buffer {
  public:
    using value_type = T;

    /// An array with undefined contents. **Throws**: `invalid_option` for a size of 0, `opencl::error`.
    buffer(const queue& where, std::size_t size)
        : size_{size}, memory_{make(where, size, CL_MEM_READ_WRITE, nullptr)} {}
    /// A copy of `values`. **Throws**: as above.
    buffer(const queue& where, std::span<const T> values)
        : size_{values.size()},
          memory_{make(where, values.size(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       const_cast<T*>(values.data()))} {}
    /// The first `size` values of existing device memory. **Throws**: `invalid_option` if it holds
    /// fewer; `opencl::error`; `forked_process`.
    buffer(const cl::Buffer& memory, std::size_t size) : size_{size}, memory_{memory} {
        detail::check_not_forked();
        const auto size_bytes = detail::translated([&] { return memory.getInfo<CL_MEM_SIZE>(); });
        if (size_bytes / sizeof(T) < size) {
            throw invalid_option{"memory of " + std::to_string(size_bytes) + " bytes has no " +
                                 std::to_string(size) + " values of " + std::to_string(sizeof(T)) +
                                 " bytes: make it larger"};
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// The buffer as an object of the Khronos bindings, for arguments of kernels.
    [[nodiscard]] const cl::Buffer& handle() const noexcept { return memory_; }

    /// Copies all values to `out` after the commands enqueued on `where` so far, and blocks until
    /// complete. **Throws**: `invalid_option` if `out` has another size; `opencl::error`.
    void read(const queue& where, std::span<T> out) const {
        check(out.size());
        detail::check_not_forked();
        detail::translated([&] {
            where.handle().enqueueReadBuffer(memory_, CL_TRUE, 0, size_ * sizeof(T), out.data());
        });
    }
    /// Replaces all values by `values`, with the same order, blocking and errors as `read`.
    void write(const queue& where, std::span<const T> values) {
        check(values.size());
        detail::check_not_forked();
        detail::translated([&] {
            where.handle().enqueueWriteBuffer(memory_, CL_TRUE, 0, size_ * sizeof(T),
                                              values.data());
        });
    }

    friend bool operator==(const buffer& a, const buffer& b) noexcept {
        return a.handle()() == b.handle()();
    }

  private:
    static cl::Buffer make(const queue& where, std::size_t size, cl_mem_flags flags, T* values) {
        if (size == 0) {
            throw invalid_option{
                "a buffer of 0 values: OpenCL has no empty buffers, so do not create it"};
        }
        return detail::translated(
            [&] { return cl::Buffer{where.context(), flags, size * sizeof(T), values}; },
            [&] { return "a buffer of " + std::to_string(size * sizeof(T)) + " bytes: "; });
    }
    void check(std::size_t size) const {
        if (size != size_) {
            throw invalid_option{"the buffer has " + std::to_string(size_) +
                                 " values, the memory of the host " + std::to_string(size) +
                                 ": pass as many"};
        }
    }

    std::size_t size_;
    detail::owned<cl::Buffer> memory_;
};

/// A position in a `buffer`, for algorithms. It cannot be dereferenced on the host.
template <class T>
class buffer_iterator {
  public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    buffer_iterator(const buffer<T>& owner, std::size_t index) : owner_{owner}, index_{index} {}

    [[nodiscard]] const buffer<T>& owner() const noexcept { return owner_; }
    [[nodiscard]] std::size_t index() const noexcept { return index_; }

    buffer_iterator& operator+=(difference_type n) noexcept {
        index_ += static_cast<std::size_t>(n);
        return *this;
    }
    friend buffer_iterator operator+(buffer_iterator it, difference_type n) noexcept {
        return it += n;
    }
    friend difference_type operator-(const buffer_iterator& a, const buffer_iterator& b) noexcept {
        return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
    }
    friend bool operator==(const buffer_iterator&, const buffer_iterator&) = default;

  private:
    buffer<T> owner_;
    std::size_t index_;
};

}  // namespace pointsman::opencl

namespace pointsman {

/// The first position of a device array, and the position past its last.
/// Source: *device_policy Class* in the execution policies document.
template <class T>
[[nodiscard]] opencl::buffer_iterator<T> begin(const opencl::buffer<T>& b) {
    return {b, 0};
}
template <class T>
[[nodiscard]] opencl::buffer_iterator<T> end(const opencl::buffer<T>& b) {
    return {b, b.size()};
}

}  // namespace pointsman
