// SPDX-License-Identifier: Apache-2.0
// Registers the start of a kernel, written for CPython directly because its arguments differ in number.
#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>

#include "algorithm/opencl/engine_values.hpp"
#include "guarded.hpp"
#include "instance.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/arguments.hpp"
#include "resource/opencl/errors.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

std::size_t extent_of(PyObject* number) {
    const std::size_t extent = PyLong_AsSize_t(number);
    if (PyErr_Occurred() != nullptr) {
        throw py::error_already_set{};
    }
    return extent;
}

PyObject* start(PyObject*, PyObject* const* values, Py_ssize_t given) {
    return guarded<&translate_opencl_error>([&]() -> PyObject* {
        constexpr Py_ssize_t before_arguments = 4;
        const bool is_long = given >= before_arguments;
        const auto* const where = is_long ? find_in<const opencl::queue>(values[0]) : nullptr;
        const auto* const kernel = is_long ? find_in<const bound_kernel>(values[1]) : nullptr;
        if (where == nullptr || kernel == nullptr) {
            throw py::type_error{"start() takes a Queue, a Kernel and two numbers of work items"};
        }
        const opencl::work_size size{cl::NDRange{extent_of(values[2])},
                                     cl::NDRange{extent_of(values[3])}};
        const std::span arguments{values + before_arguments,
                                  static_cast<std::size_t>(given - before_arguments)};
        const argument_list list{*where, *kernel, arguments};
        on_engine([&] {
            binding::end_overtaking(*where);
            where->start_with(list.span(), kernel->kernel, size);
            binding::end_overtaking(*where);
        });
        return Py_NewRef(Py_None);
    });
}

PyMethodDef functions[] = {
    {"start", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&start)), METH_FASTCALL,
     R"(start(queue, kernel, items, group, /, *args)
--

Start a kernel of ``items`` work items, in groups of ``group``, after all commands enqueued earlier and
before all enqueued later. Has no event, which takes some drivers longer than the start: wait for the
queue, or for a later command.)"},
    {},
};

}  // namespace

void register_opencl_launch(py::module_& m) {
    if (PyModule_AddFunctions(m.ptr(), functions) != 0) {
        throw py::error_already_set{};
    }
}

}  // namespace pointsman::python
