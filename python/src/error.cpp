// SPDX-License-Identifier: Apache-2.0
// Translates pointsman's C++ exceptions into the Python classes of pointsman.error.
#include "pointsman/error.hpp"

#include <stdexcept>
#include <utility>

#include "decoded.hpp"
#include "pointsman/history/history_error.hpp"
#include "rooms.hpp"

namespace pointsman::python {

namespace py = pybind11;

void translate_error(std::exception_ptr thrown) {
    auto raise = [](const char* type, const std::exception& error) {
        const py::object cls = py::module_::import("pointsman.error").attr(type);
        PyErr_SetObject(cls.ptr(), decoded(error.what()).ptr());
    };
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const empty_resource_set&) {
        raise("EmptyResourceSetError",
              std::invalid_argument{"the set of resources is empty (size 0): pass at least one "
                                    "resource, or None for what pointsman.discover() finds"});
    } catch (const resource_index_error& e) {
        raise("ResourceIndexError", e);
    } catch (const invalid_option& e) {
        raise("InvalidOptionError", e);
    } catch (const unsatisfied_reporting& e) {
        raise("UnsatisfiedReportingError", e);
    } catch (const not_initialized& e) {
        raise("NotInitializedError", e);
    } catch (const forked_process& e) {
        raise("ForkedProcessError", e);
    } catch (const unsuitable_resources& e) {
        raise("UnsuitableResourcesError", e);
    } catch (const no_healthy_resource& e) {
        raise("NoHealthyResourceError", e);
    } catch (const unknown_kind& e) {
        raise("UnknownKindError", e);
    } catch (const foreign_resource& e) {
        raise("ForeignResourceError", e);
    } catch (const submit_timeout& e) {
        raise("SubmitTimeoutError", e);
    } catch (const unexpected_report& e) {
        raise("UnexpectedReportError", e);
    } catch (const work_cancelled& e) {
        raise("WorkCancelledError", e);
    } catch (const time_limit_exceeded& e) {
        raise("TimeLimitError", e);
    } catch (const trace_in_progress& e) {
        raise("TraceInProgressError", e);
    } catch (const history_error& e) {
        raise("HistoryError", e);
    }
}

void register_errors(py::module_&) {
    py::register_exception_translator([](std::exception_ptr thrown) {
        if (thrown) {
            translate_error(std::move(thrown));
        }
    });
}

}  // namespace pointsman::python
