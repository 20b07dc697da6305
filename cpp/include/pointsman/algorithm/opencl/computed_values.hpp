// SPDX-License-Identifier: Apache-2.0
// Device values for algorithms without kernels for half precision: `half` is converted to and from `float`.
#pragma once

#include <cstddef>

#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// The unconverted values, for every type except `half`.
template <device_iterator It>
class computed_values : public device_values<It> {
  public:
    using device_values<It>::device_values;
};

/// A copy of the `half` values as `float`, in memory from the queue's pool.
template <device_iterator It>
    requires is_half_v<iterated_t<It>>
class computed_values<It> {
  public:
    using use = typename device_values<It>::use;

    computed_values(const opencl::queue& where, It first, std::size_t count, use wanted)
        : where_{where},
          count_{count},
          values_{where, first, count, wanted},
          floats_{where.take_buffer(count * sizeof(float))} {
        if (wanted == use::input) {
            static const engine::elementwise widen{identity(engine::half_element()),
                                                   engine::element_of<float>()};
            const engine::array halves{values_.memory(), values_.offset()};
            widen.enqueue(where_, {&halves, 1}, {floats_.handle(), offset_}, count_);
        }
    }

    [[nodiscard]] const cl::Buffer& memory() const noexcept { return floats_.handle(); }
    [[nodiscard]] const cl_ulong& offset() const noexcept { return offset_; }

    /// Rounds the results to `half`, writes them to the iterator's range and blocks until that is complete.
    void fetch() {
        static const engine::elementwise narrow{identity(engine::element_of<float>()),
                                                engine::half_element()};
        const engine::array floats{floats_.handle(), offset_};
        narrow.enqueue(where_, {&floats, 1}, {values_.memory(), values_.offset()}, count_);
        values_.fetch();
    }

  private:
    static engine::expression identity(const engine::element& type) {
        return {"", {type}, "", "v0"};
    }

    opencl::queue where_;
    std::size_t count_;
    device_values<It> values_;
    opencl::pooled_buffer floats_;
    cl_ulong offset_ = 0;
};

}  // namespace pointsman::detail
