// SPDX-License-Identifier: Apache-2.0
// Copies selected values of an array on a device: a typed interface to engine::compaction.
#pragma once

#include <cstddef>
#include <string>

#include "pointsman/algorithm/opencl/engine/compaction.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// Selects from the `count` values beginning at `first`, at least one, for an output array of `Out`.
/// **Throws**: `build_error`, `cl::Error`.
template <engine::kept_values Which, device_function Predicate, device_value Out,
          device_iterator In>
class compaction {
  public:
    compaction(const opencl::queue& where, In first, std::size_t count)
        : source_{where, first, count, device_values<In>::use::input},
          found_{where, text(), {source_.memory(), source_.offset()}, count} {}

    [[nodiscard]] std::size_t kept() const noexcept { return found_.kept(); }
    /// The input array.
    [[nodiscard]] device_values<In>& source() noexcept { return source_; }

    /// Enqueues the copy of the kept values to `out`, beginning at index `at`.
    void write(const cl::Buffer& out, cl_ulong at) const { found_.write({out, at}); }

  private:
    static const std::string& text() {
        using value = iterated_t<In>;
        static const std::string made = [] {
            const engine::element out = engine::element_of<Out>();
            if constexpr (Which == engine::kept_values::where_true) {
                return engine::compaction_text(expression_of<Predicate, value>(), Which, out);
            } else {
                return engine::compaction_text(expression_of<Predicate, value, value>(), Which,
                                               out);
            }
        }();
        return made;
    }

    device_values<In> source_;
    engine::compaction found_;
};

}  // namespace pointsman::detail
