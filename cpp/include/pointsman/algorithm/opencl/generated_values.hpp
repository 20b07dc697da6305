// SPDX-License-Identifier: Apache-2.0
// Values that a device computes or gathers in memory from its queue's pool, for iterators that stand for them.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// Memory for `count` values of type `T`, and the interface that `device_values` has.
template <device_value T>
class generated_values {
  public:
    using value_type = T;
    enum class use : bool { input, output };
    static constexpr bool is_generated = true;

    generated_values(const opencl::queue& where, std::size_t count)
        : where_{where}, count_{count}, values_{where.take_buffer(count * sizeof(T))} {}

    [[nodiscard]] const cl::Buffer& memory() const noexcept { return values_.handle(); }
    [[nodiscard]] const cl_ulong& offset() const noexcept { return offset_; }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return count_ * sizeof(T); }
    [[nodiscard]] bytes_on_device bytes() const noexcept { return {memory(), 0, size_bytes()}; }

  protected:
    /// Enqueues `kernel`, which writes the values.
    void generate(const engine::elementwise& kernel, std::span<const engine::array> inputs,
                  std::span<const opencl::kernel_argument> constant = {}) const {
        kernel.enqueue(where_, inputs, {memory(), offset_}, count_, constant);
    }

    [[nodiscard]] const opencl::queue& where() const noexcept { return where_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

  private:
    opencl::queue where_;
    std::size_t count_;
    opencl::pooled_buffer values_;
    cl_ulong offset_ = 0;
};

/// Values that algorithms only read.
template <device_value T>
class generated_input : public generated_values<T> {
  public:
    using generated_values<T>::generated_values;

    template <class Value = T>
    void fetch() {
        static_assert(
            !std::is_same_v<Value, T>,
            "the values of this iterator are computed and cannot be written: pass an iterator "
            "over memory as the output");
    }
};

}  // namespace pointsman::detail
