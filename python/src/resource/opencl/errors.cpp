// SPDX-License-Identifier: Apache-2.0
// Translates OpenCL exceptions to the classes of pointsman.error, with their code and log.
#include "resource/opencl/errors.hpp"

#include <pybind11/pybind11.h>

#include <utility>

#include "decoded.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

/// An exception of the type `name` in pointsman.error.
py::object exception(const char* name, const std::exception& error) {
    return py::module_::import("pointsman.error").attr(name)(decoded(error.what()));
}

void raise(const py::object& error) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

}  // namespace

void translate_opencl_error(std::exception_ptr thrown) {
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const opencl::build_error& e) {
        const py::object error = exception("BuildError", e);
        error.attr("code") = e.code();
        error.attr("log") = decoded(e.log());
        raise(error);
    } catch (const opencl::error& e) {
        const py::object error = exception("OpenCLError", e);
        error.attr("code") = e.code();
        error.attr("is_out_of_memory") = e.is_out_of_memory();
        raise(error);
    } catch (const invalid_option& e) {
        raise(exception("InvalidOptionError", e));
    } catch (const forked_process& e) {
        raise(exception("ForkedProcessError", e));
    }
}

void register_opencl_errors(py::module_&) {
    py::register_local_exception_translator([](std::exception_ptr thrown) {
        if (thrown) {
            translate_opencl_error(std::move(thrown));
        }
    });
}

}  // namespace pointsman::python
