// SPDX-License-Identifier: Apache-2.0
// Registers scan: running sums, products, minima and maxima of buffers.
#include <cstring>
#include <optional>
#include <string>

#include "algorithm/opencl/numpy_order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/numbers.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

/// Signed integers are added and multiplied as unsigned ones, which wrap around.
using added = device_types<std::uint64_t, float, double>;
using compared =
    device_types<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, float, double>;

struct scan_call {
    const queue& where;
    const device_buffer& out;
    std::string initial;
    bool is_exclusive;

    template <class F, class T>
    void run(const opencl::buffer<T>& values) const {
        std::optional<T> before;
        if (initial.size() == sizeof(T)) {
            std::memcpy(&before.emplace(), initial.data(), sizeof(T));
        }
        const auto results = values_in<T>(out);
        binding::scan_on_device<T, F, identity_value>(
            where, begin(values), values.size(), begin(results), before,
            is_exclusive ? binding::scan_kind::exclusive : binding::scan_kind::inclusive);
    }
    template <class F, class Types>
    void run_as(const device_buffer& typed) const {
        with_values(Types{}, typed, [this](const auto& values) { this->template run<F>(values); });
    }
};

void scan(const queue& where, const device_buffer& array, const device_buffer& out,
          const std::string& operation, const py::bytes& initial, bool is_exclusive) {
    check_same_device(where, array);
    check_same_device(where, out);
    if (!array.layout.dtype.equal(out.layout.dtype) ||
        !array.layout.shape.equal(out.layout.shape)) {
        throw py::type_error{"the buffers differ in type or shape: pass two of one type and shape"};
    }
    device_buffer typed = array;
    const bool adds = operation == "+" || operation == "*";
    if (adds && holds<std::int64_t>(array)) {
        typed.layout.dtype = py::dtype::of<std::uint64_t>();
    }
    const scan_call call{where, out, initial, is_exclusive};
    if (operation == "+") {
        call.run_as<plus, added>(typed);
    } else if (operation == "*") {
        call.run_as<multiplies, added>(typed);
    } else if (operation == "min") {
        call.run_as<numpy_minimum, compared>(typed);
    } else {
        call.run_as<numpy_maximum, compared>(typed);
    }
}

}  // namespace

void register_opencl_scan(py::module_& m) {
    m.def("scan", &scan, py::arg("queue"), py::arg("array"), py::arg("out"), py::arg("operation"),
          py::arg("initial"), py::arg("is_exclusive"),
          R"(scan(queue, array, out, operation, initial, is_exclusive)
--

Write, at each index of ``out``, the fold of the values of ``array`` up to that index, and block
until the result is written. ``out`` has the same type and shape, and may be ``array`` itself.

operation: "+" or "*", of 64-bit integers, float32 or float64; "min" or "max", of 32-bit integers, too.
initial: the bytes of a value folded in first, required for an exclusive scan; otherwise may be empty.)");
}

}  // namespace pointsman::python
