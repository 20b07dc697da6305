// SPDX-License-Identifier: Apache-2.0
// Registers Kept, with which copy_if and unique count values before they allocate the result.
#include <cstddef>

#include "algorithm/opencl/engine_values.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "pointsman/error.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using binding::engine::kept_values;
using opencl::queue;

class kept {
  public:
    kept(const queue& where, const expression_parts& predicate, const device_buffer& array,
         bool are_first_of_runs)
        : where_{where},
          dtype_{array.layout.dtype},
          found_{count(where, predicate, array, are_first_of_runs)} {}

    [[nodiscard]] std::size_t size() const { return found_.kept(); }

    void write(const device_buffer& out) const {
        check_same_device(where_, out);
        if (count_of(out) < size() ||
            !(element_of_dtype(out.layout.dtype) == element_of_dtype(dtype_))) {
            throw invalid_option{"a buffer for " + std::to_string(size()) + " values of dtype " +
                                 py::str(dtype_).cast<std::string>() +
                                 " is of another dtype or too small: pass one made for them"};
        }
        on_engine([&] { found_.write({out.memory, 0}); });
    }

  private:
    static binding::engine::compaction count(const queue& where, const expression_parts& predicate,
                                             const device_buffer& array, bool are_first_of_runs) {
        buffer_list inputs{array};
        if (are_first_of_runs) {
            inputs.emplace_back(array);
        }
        const auto holds = expression_of(where, predicate, inputs);
        const std::size_t size = count_of(array);
        return on_engine([&] {
            const auto which =
                are_first_of_runs ? kept_values::first_of_runs : kept_values::where_true;
            return binding::engine::compaction{
                where,
                binding::engine::compaction_text(where, holds, which, holds.inputs[0]),
                {array.memory, 0},
                size};
        });
    }

    queue where_;
    py::object dtype_;
    binding::engine::compaction found_;
};

}  // namespace

void register_opencl_compaction(py::module_& m) {
    py::class_<kept>(m, "Kept",
                     R"(The values of a buffer to keep, counted but not yet written.

Keeps the values for which ``predicate`` holds or, with ``of_runs``, the first value of each run in
which it holds for neighbours.)")
        .def(py::init<const queue&, const expression_parts&, const device_buffer&, bool>(),
             py::arg("queue"), py::arg("predicate"), py::arg("array"), py::arg("of_runs"))
        .def_property_readonly("size", &kept::size, "Number of kept values.")
        .def("write", &kept::write, py::arg("out"),
             R"(write(self, out)
--

Start to write the kept values to the first indices of ``out``, in other memory than the array.)");
}

}  // namespace pointsman::python
