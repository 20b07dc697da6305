// SPDX-License-Identifier: Apache-2.0
// Registers the selection of values by truth values, in several threads and without the GIL.
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithm/numbers.hpp"
#include "algorithm/registers.hpp"
#include "algorithm/set_bytes.hpp"
#include "algorithm/spans.hpp"
#include "algorithm/wide_registers.hpp"

namespace pointsman::python {
namespace {

/// Writes those of `size` values whose byte in `is_kept` is not 0 to `out`, which has room for `kept` of them.
template <class T>
void select(const T* values, const char* is_kept, std::size_t size, T* out, std::size_t kept) {
    constexpr std::uint64_t all = 0x0101'0101'0101'0101;
    constexpr std::size_t step = sizeof(all);
    const T* const end = out + kept;
    std::size_t i = 0;
    for (; i + step <= size && static_cast<std::size_t>(end - out) >= step; i += step) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, is_kept + i, step);
        if (bytes == 0) {
            continue;
        }
        if (bytes == all) {
            std::memcpy(out, values + i, step * sizeof(T));
            out += step;
            continue;
        }
        for (std::size_t k = 0; k < step; ++k) {
            *out = values[i + k];  // without a branch: what is kept cannot be predicted
            out += is_kept[i + k] != 0 ? 1 : 0;
        }
    }
    for (; i < size && out != end; ++i) {
        *out = values[i];
        out += is_kept[i] != 0 ? 1 : 0;
    }
}

template <class T>
py::array select_values(const py::array& values, const char* is_kept, const spans& all) {
    const auto count = loop_for_processor<set_bytes, const char*, std::size_t>();
    const bool is_parallel = all.count() > 1;
    std::vector<std::size_t> before(all.count() + 1);
    without_gil(is_parallel, [&] {
        all.for_each([&](std::size_t span) {
            const std::size_t begin = all.begin(span);
            before[span + 1] = count(is_kept + begin, all.end(span) - begin);
        });
    });
    for (std::size_t span = 0; span < all.count(); ++span) {
        before[span + 1] += before[span];
    }
    py::array kept{values.dtype(),
                   py::array::ShapeContainer{static_cast<py::ssize_t>(before.back())}};
    const T* const from = static_cast<const T*>(values.data());
    T* const to = static_cast<T*>(kept.mutable_data());
    without_gil(is_parallel, [&] {
        all.for_each([&](std::size_t span) {
            const std::size_t begin = all.begin(span);
            select(from + begin, is_kept + begin, all.end(span) - begin, to + before[span],
                   before[span + 1] - before[span]);
        });
    });
    return kept;
}

struct alignas(8) sixteen_bytes {
    std::uint64_t halves[2];
};

std::optional<py::array> select_by_bytes(const py::array& values, const py::array& is_kept,
                                         std::size_t of_span) {
    if (is_kept.dtype().kind() != 'b' || is_kept.size() != values.size() ||
        (is_kept.flags() & py::array::c_style) == 0) {
        throw py::value_error{"pass a contiguous truth value for each value"};
    }
    const bool may_be_copied =  // unlike objects, whose owners are counted
        std::string_view{"biufcmM"}.find(values.dtype().kind()) != std::string_view::npos;
    if (!may_be_copied || !is_contiguous_and_aligned(values) || values.size() == 0) {
        return std::nullopt;
    }
    const spans all{static_cast<std::size_t>(values.size()), std::max<std::size_t>(of_span, 1)};
    const auto* const kept = static_cast<const char*>(is_kept.data());
    switch (values.itemsize()) {
        case 1:
            return select_values<std::uint8_t>(values, kept, all);
        case 2:
            return select_values<std::uint16_t>(values, kept, all);
        case 4:
            return select_values<std::uint32_t>(values, kept, all);
        case 8:
            return select_values<std::uint64_t>(values, kept, all);
        case 16:
            return select_values<sixteen_bytes>(values, kept, all);
        default:
            return std::nullopt;
    }
}

}  // namespace

void register_selection_of_values(py::module_& m) {
    m.def("selected", &select_by_bytes, py::arg("values"), py::arg("is_kept"), py::arg("of_span"),
          R"(selected(values, is_kept, of_span)
--

Return the values at which ``is_kept`` is True, in a new array of one dimension. Return None for no values,
for those that are not contiguous and aligned, and for other types than bool, numbers and times of 1, 2, 4,
8 and 16 bytes.

of_span: the number of values that a thread takes at a time.)");
}

}  // namespace pointsman::python
