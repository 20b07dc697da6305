// SPDX-License-Identifier: Apache-2.0
// Values that a device computes or gathers in memory from its queue's pool, for iterators that stand for them.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/fused_values.hpp"
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
    /// Enqueues the kernel that computes the values from `read`.
    template <class It>
    void generate(const fused_values<It>& read) const {
        std::vector<engine::array> inputs;
        read.add_to(inputs);
        reading<It>().enqueue(where_, inputs, {memory(), offset_}, count_);
    }

    [[nodiscard]] const opencl::queue& where() const noexcept { return where_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

  private:
    opencl::queue where_;
    std::size_t count_;
    opencl::pooled_buffer values_;
    cl_ulong offset_ = 0;
};

/// Values that `It` computes, which algorithms only read.
template <class It>
class generated_input : public generated_values<iterated_t<It>> {
    using value = iterated_t<It>;

  public:
    using use = typename generated_values<value>::use;

    generated_input(const opencl::queue& where, const It& first, std::size_t count, use)
        : generated_values<value>{where, count}, read_{where, first, count} {
        this->generate(read_);
    }

    template <class Value = value>
    void fetch() {
        static_assert(
            !std::is_same_v<Value, value>,
            "the values of this iterator are computed and cannot be written: pass an iterator "
            "over memory as the output");
    }

  private:
    fused_values<It> read_;
};

}  // namespace pointsman::detail
