// SPDX-License-Identifier: Apache-2.0
// Registers Queue; its methods for buffers, programs, kernels and transfers come from the files beside it.
#include "pointsman/resource/opencl/queue.hpp"

#include <pybind11/stl.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checked_method.hpp"
#include "decoded.hpp"
#include "gil.hpp"
#include "pointsman/binding/opencl.hpp"
#include "pointsman/resource/opencl/default_queues.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/driver_warnings.hpp"
#include "resource/opencl/registers.hpp"
#include "submission/interruptible.hpp"
#include "tuning/domain.hpp"

namespace pointsman::python {

namespace py = pybind11;
using opencl::program;
using opencl::queue;

namespace {

queue make_queue(const std::optional<opencl::device>& device, bool profiling, bool out_of_order) {
    const gil_released others_may_run;
    const opencl::queue_options options{profiling, out_of_order};
    return device ? queue{*device, options} : queue{queue{}.device(), options};
}

/// Reads the file in Python, so that a missing file raises the exceptions of open().
program build_file(const queue& q, const py::object& path, const std::string& options) {
    const py::object file = py::module_::import("pathlib").attr("Path")(path);
    const auto source = file.attr("read_text")(py::arg("encoding") = "utf-8").cast<std::string>();
    try {
        const gil_released others_may_run;
        return q.build(source, options);
    } catch (const opencl::build_error& failed) {
        throw failed.in_file(py::str(file).cast<std::string>());
    }
}

py::str representation(const queue& q) {
    return decoded("<Queue on '" + q.device().label() + "'" +
                   (q.has_profiling() ? "" : ", no profiling") +
                   (q.is_out_of_order() ? ", out of order" : "") + ">");
}

/// Returns true if every command on the queue was complete before `timeout`.
bool finish(const queue& q, const py::object& timeout) {
    const deadline_t deadline = to_deadline(timeout.ptr());
    binding::check_not_forked();
    const opencl::event last = [&] {
        const gil_released others_may_run;
        return q.mark();
    }();
    if (!wait_by_asking(deadline, [&] { return last.is_ready(); })) {
        return false;
    }
    const gil_released others_may_run;
    q.wait();
    return true;
}

void add_programs(py::class_<queue>& registered) {
    const parameter options{"options", "''", "a str, the options of the compiler"};
    add_checked(registered, {"build", {{"source", nullptr, "a str of OpenCL C"}, options}},
                R"(Compile OpenCL C ``source`` for the device and return a ``Program``.

A recently used program with the same source and options is not built again. Raises BuildError with
the compiler's log (also in its attribute ``log``) and the lines of ``source`` that the log names.)",
                [](const queue& q, const bound_arguments& given) {
                    const auto source = given.as<std::string>(0);
                    const auto chosen = given.get<std::string>(1, "");
                    const gil_released others_may_run;
                    return q.build(source, chosen);
                });
    add_checked(
        registered, {"build_file", {{"path", nullptr, "a str or a Path of a file"}, options}},
        R"(Compile the OpenCL C in the file ``path`` (a str or a Path; UTF-8), as ``build`` does.

Included files are found with an option such as ``-I folder``. A program that was built before is not
built again when only an included file changes. Raises the exceptions of ``open``, and BuildError as
``build`` does, with the file's name.)",
        [](const queue& q, const bound_arguments& given) {
            return build_file(q, given.get(0), given.get<std::string>(1, ""));
        });
}

void add_empty(py::class_<queue>& registered) {
    add_checked(
        registered, layout_signature("empty"),
        R"(Return a ``Buffer`` with undefined contents.

shape: an int or a sequence of ints, from 1.
dtype: any NumPy dtype without Python objects.)",
        [](const queue& q, const bound_arguments& given) { return allocate(q, layout_of(given)); });
}

void add_finish(py::class_<queue>& registered) {
    add_checked(
        registered, {"finish", {{"timeout", "None", "a number of seconds, or None for no limit"}}},
        R"(Block until every command on the queue is complete; return whether they are.

timeout: seconds; None for no limit. Ctrl-C ends the wait, not the commands. Does not raise the
commands' errors.)",
        [](const queue& q, const bound_arguments& given) { return finish(q, given.get(0)); });
}

std::vector<queue> default_queues() {
    auto queues = [] {
        const gil_released others_may_run;
        return default_universe<queue>::get();
    }();
    warn_of_drivers();
    return queues;
}

}  // namespace

void register_opencl_queue(py::module_& m) {
    const call_signature signature{
        "Queue",
        {{"device", "None", "a Device, or None for the first of devices()"},
         {"profiling", "True", "True or False", true},
         {"out_of_order", "False", "True or False", true}}};
    const auto doc = signature.documented(R"(A command queue on an OpenCL device, as a resource.

device: a ``Device``; default the first of ``devices()``.
profiling: whether commands carry timestamps, which makes their times exact.
out_of_order: whether commands may overtake one another. If so, pass the events of the commands that a
    command depends on as ``wait_for``, to ``read`` too.

Two queues are equal when they are the same queue. Raises OpenCLError when there is no device, or
when the device does not support an option.

>>> twice = "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
>>> def work(queue, array):
...     buffer = queue.buffer(array)
...     queue.enqueue(queue.build(twice).kernel("twice"), array.shape, buffer)
...     return queue.enqueue_read(buffer)
>>> policy = pm.RoundRobin([pm.opencl.Queue()])
>>> policy.submit_and_wait(work, np.arange(4, dtype=np.float32))
array([0., 2., 4., 6.], dtype=float32))");
    py::class_<queue> registered(m, "Queue", doc.c_str());
    registered
        .def(py::init([signature](const py::args& args, const py::kwargs& kwargs) {
                 const auto given = signature.bind(args, kwargs);
                 return make_queue(given.get<std::optional<opencl::device>>(0, {}),
                                   given.get<bool>(1, true), given.get<bool>(2, false));
             }),
             signature.of_constructor().c_str())
        .def_property_readonly("device", &queue::device, "The queue's Device.")
        .def_property_readonly(
            "domain", [](const queue& q) { return to_python(q.domain()); },
            "The Domain of the device, which other queues share, and arenas if the device is a "
            "CPU.")
        .def("reports_exact_times", &queue::reports_exact_times,
             "reports_exact_times(self)\n--\n\nReturn whether the times of commands are exact, "
             "which "
             "needs profiling.")
        .def(
            "after_failure",
            [](const queue& q, const py::object& error) {
                const bool is_of_opencl = py::isinstance(
                    error, py::module_::import("pointsman.error").attr("OpenCLError"));
                if (!is_of_opencl || error.attr("code").is_none()) {
                    return std::string{};
                }
                const opencl::error failure{error.attr("code").cast<cl_int>(), "",
                                            error.attr("is_out_of_memory").cast<bool>()};
                const gil_released others_may_run;
                return q.after_failure(std::make_exception_ptr(failure));
            },
            py::arg("error"),
            R"(after_failure(self, error)
--

Drop what the library has made in the queue's context, if ``error`` says that it may be lost.

A policy calls this when it puts the queue in quarantine, and when a task that tried it again has failed.
After an OpenCLError of a device, context or queue that no longer works, programs that ``build`` has kept and
memory that is kept for transfers are made again at their next use. Returns a text that says so, and which
buffers and programs you have to make again; empty after other errors.

>>> pm.opencl.Queue().after_failure(ValueError("no photograph"))
'')")
        .def_property_readonly("profiling", &queue::has_profiling,
                               "Whether commands carry timestamps.")
        .def_property_readonly("out_of_order", &queue::is_out_of_order,
                               "Whether commands may overtake one another.")
        .def(
            "__eq__",
            [](const queue& a, const py::object& b) {
                return py::isinstance<queue>(b) && a == b.cast<const queue&>();
            },
            py::arg("other"))
        .def("__hash__", [](const queue& q) { return std::hash<const void*>{}(q.handle()()); })
        .def("__repr__", &representation)
        .def(
            "_repr_html_",
            [](const py::object& q) {
                return py::module_::import("pointsman._device_list").attr("html_of_queue")(q);
            },
            "_repr_html_(self)\n--\n\nReturn the queue as a table for Jupyter.");
    add_programs(registered);
    add_opencl_upload(registered);
    add_empty(registered);
    add_finish(registered);
    add_opencl_enqueue(registered);
    add_opencl_transfers(registered);
    add_opencl_pinned(m, registered);

    m.def(
        "with_items_in_groups",
        [](const opencl::device& device) {
            const gil_released others_may_run;
            return queue{device, {.items = opencl::item_work::in_groups}};
        },
        py::arg("device"), R"(with_items_in_groups(device)
--

Return a queue whose algorithms use work groups as on a GPU, even on a CPU; for tests.)");
    m.def(
        "items_work_alone", [](const queue& where) { return where.items_work_alone(); },
        py::arg("queue"), R"(items_work_alone(queue)
--

Return True if each work item of an algorithm on the queue has its own share of the values.)");
    m.def(
        "contexts_forgotten",
        [] { return binding::program_cache::instance().contexts_forgotten(); },
        R"(contexts_forgotten()
--

Return how often programs of a context were dropped: kernels made before may be of a lost context.)");
    m.def("default_queues", &default_queues,
          "default_queues()\n--\n\n"
          "Return one new ``Queue`` for each of ``devices()``; warns of broken drivers as "
          "``devices`` does.");
}

}  // namespace pointsman::python
