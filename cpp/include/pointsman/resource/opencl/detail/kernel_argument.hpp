// SPDX-License-Identifier: Apache-2.0
// Kernel arguments, and a cache of the values already set, to avoid calls of clSetKernelArg.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::opencl {

/// Distinguishes a driver object from all others, including later ones at its address.
class object_id {
  public:
    /// Identifies no object.
    constexpr object_id() = default;
    /// Makes a unique identifier. **Thread safety**: any thread.
    [[nodiscard]] static object_id next() noexcept {
        static std::atomic<std::uint64_t> last{0};
        object_id made;
        made.number_ = last.fetch_add(1, std::memory_order_relaxed) + 1;
        return made;
    }

    friend bool operator==(const object_id&, const object_id&) = default;

  private:
    std::uint64_t number_ = 0;
};

/// The value of one kernel argument: it refers to the object it was made from, and is valid during the
/// call that it is passed to.
struct kernel_argument {
    std::size_t size_bytes;
    const void* value;      ///< null for local memory, of which only the size is given
    object_id object{};     ///< the object whose handle the value is, if known
    bool is_plain = false;  ///< equal bytes are the same value, unlike handles

    /// Bytes without further meaning.
    kernel_argument(std::size_t bytes, const void* address) noexcept
        : size_bytes{bytes}, value{address} {}
    /// A buffer, an image or a pipe. With an `id`, which must be unique to this object, passing the same
    /// object as in the previous call is cheaper.
    kernel_argument(const cl::Memory& memory, object_id id = {}) noexcept
        : size_bytes{sizeof(cl_mem)}, value{&memory()}, object{id} {}
    /// Local memory: `cl::Local(bytes)`.
    kernel_argument(const cl::LocalSpaceArg& local) noexcept
        : size_bytes{local.size_}, value{nullptr} {}
    /// A number, a vector type such as `cl_float4`, or a struct, passed by its bytes.
    template <class T>
        requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>)
    kernel_argument(const T& scalar) noexcept : kernel_argument{sizeof scalar, &scalar} {
        is_plain = true;
    }
};

namespace detail {

/// The value that a kernel object has for one of its arguments, if it is known.
class remembered_argument {
  public:
    /// Returns true if the kernel already has the argument's value.
    [[nodiscard]] bool is(const kernel_argument& argument) const noexcept {
        if (argument.is_plain) {
            return size_bytes_ != 0 && size_bytes_ == argument.size_bytes &&
                   std::memcmp(bytes_.data(), argument.value, size_bytes_) == 0;
        }
        return object_ != object_id{} && object_ == argument.object;
    }
    void set(const kernel_argument& argument) noexcept {
        forget();
        object_ = argument.object;
        if (argument.is_plain && argument.size_bytes <= bytes_.size()) {
            size_bytes_ = argument.size_bytes;
            std::memcpy(bytes_.data(), argument.value, size_bytes_);
        }
    }
    void forget() noexcept {
        size_bytes_ = 0;
        object_ = {};
    }

  private:
    std::size_t size_bytes_ = 0;  // of a plain value
    std::array<std::byte, 16> bytes_{};
    object_id object_;
};

}  // namespace detail

}  // namespace pointsman::opencl
