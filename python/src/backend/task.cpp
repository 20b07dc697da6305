// SPDX-License-Identifier: Apache-2.0
// Finds out which resources a Python task accepts, and runs it on one.
#include "backend/task.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "call_with.hpp"
#include "has_attribute.hpp"
#include "instance.hpp"
#include "instant.hpp"
#include "kept_object.hpp"
#include "resource/arena_call.hpp"
#include "resource/resource_health.hpp"
#include "rooms.hpp"
#include "tuning/kind_names.hpp"

namespace pointsman::python {
namespace {

constinit kept_object refusal_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_refusal__"); }};

/// Set when the module is loaded: looking the type up would take longer than the check.
PyTypeObject* arena_type = nullptr;

bool is_arena(PyObject* object) { return PyObject_TypeCheck(object, arena_type) != 0; }

/// The method with which `resource` runs functions, or null.
py::object find_runner(const py::handle& resource) {
    const py::object executor = py::module_::import("concurrent.futures").attr("Executor");
    const bool is_executor = py::isinstance(resource, executor);
    for (const char* name : {"run", "submit"}) {
        if (!(is_executor && std::string_view{name} == "run") && has_method(resource, name)) {
            return resource.attr(name);
        }
    }
    return {};
}

/// Throws the error that `work` raised. A TypeError of the call itself gets a note: the arguments did not
/// fit, often because `work` takes no resource.
[[noreturn, gnu::cold, gnu::noinline]] void throw_error_of(PyObject* work) {
    py::error_already_set error;
    if (error.type().ptr() == PyExc_TypeError) {
        const py::object trace = error.trace() ? error.trace() : py::none();
        py::module_::import("pointsman._task")
            .attr("add_note_on_run")(error.value(), trace, py::handle{work});
    }
    throw error;
}

std::string refusal_to_run(const py::handle& resource) {
    return py::str(
               "{!r} cannot run functions: use arenas, executors or objects with run() or "
               "submit(), or policy.submit(work), which calls work(resource)")
        .format(resource);
}

/// The method with which `resource` runs functions. **Throws**: `unsuitable_resources` if it has none.
py::object runner_of(const py::handle& resource) {
    py::object found = find_runner(resource);
    if (!found) {
        throw unsuitable_resources{refusal_to_run(resource)};
    }
    return found;
}

}  // namespace

bool type_runs_functions(PyObject* object) noexcept {
    static PyObject* const run = PyUnicode_InternFromString("run");
    static PyObject* const submit = PyUnicode_InternFromString("submit");
    return _PyType_Lookup(Py_TYPE(object), run) != nullptr ||
           _PyType_Lookup(Py_TYPE(object), submit) != nullptr;
}

bool type_knows_transfers(PyObject* object) noexcept {
    static PyObject* const name = PyUnicode_InternFromString("__pointsman_transfers__");
    return _PyType_Lookup(Py_TYPE(object), name) != nullptr;
}

void python_task::ask_for_transfers(const std::vector<python_resource>& resources) const {
    const gil_acquired gil;
    transfers_.clear();
    const py::object hook = resources.front().object.get().attr("__pointsman_transfers__");
    const py::object seconds_to = call_with(hook, {}, arguments_);
    if (seconds_to.is_none()) {
        return;
    }
    constexpr double nanoseconds = 1e9;
    for (const python_resource& each : resources) {
        transfers_.push_back(seconds_to(each.object.get()).cast<double>() * nanoseconds);
    }
}

bool runs_functions(const python_resource& resource) {
    return resource.runs_functions || find_runner(resource.object.get());
}

bool python_resource::reports_exact_times() const {
    const py::gil_scoped_acquire gil;
    return py::module_::import("pointsman._backend")
        .attr("reports_exact_times")(object.get())
        .cast<bool>();
}

bool python_resource::equals(const python_resource& other) const {
    const py::gil_scoped_acquire gil;
    return are_equal(object.ptr(), other.object.ptr());
}

bool are_equal(PyObject* left, PyObject* right) noexcept {
    const int answer = PyObject_RichCompareBool(left, right, Py_EQ);
    if (answer < 0) {
        PyErr_Clear();
    }
    return answer == 1;
}

bool accepts(PyObject* callable, const python_resource& resource) {
    return py::handle{callable}.attr(refusal_attribute.get())(resource.object.get()).is_none();
}

void register_task(py::module_& m) {
    arena_type = reinterpret_cast<PyTypeObject*>(py::type::of<arena>().ptr());
    m.def(
        "_task_identity", [](const py::object& work) { return callable_identity(work.ptr()); },
        py::arg("work"),
        "_task_identity(work)\n--\n\nReturn the number that identifies the callable in the key of "
        "a task.");
    m.def("_runner_of", &runner_of, py::arg("resource"),
          "_runner_of(resource)\n--\n\nReturn the method with which the resource runs functions.");
    m.def(
        "_runs_functions", [](const py::object& resource) { return bool{find_runner(resource)}; },
        py::arg("resource"),
        "_runs_functions(resource)\n--\n\nReturn whether the resource runs functions.");
}

bool python_task::has_refusal(PyObject* work) {
    return hook_of(work, refusal_attribute.get()) != nullptr;
}

bool python_task::accepts_when_asked(const python_resource& resource) const {
    const gil_acquired gil;
    if (verb_ == task_verb::run) {
        return runs_functions(resource);
    }
    return pointsman::python::accepts(work_, resource);
}

std::string python_task::refusal(const python_resource& resource) const {
    const gil_acquired gil;
    if (verb_ == task_verb::run) {
        return refusal_to_run(resource.object.get());
    }
    return py::str(py::handle{work_}.attr("__pointsman_refusal__")(resource.object.get()));
}

py::object python_task::work() const {
    if (verb_ == task_verb::run) {
        return py::module_::import("pointsman._task").attr("OnResource")(py::handle{work_});
    }
    return py::reinterpret_borrow<py::object>(work_);
}

[[gnu::always_inline]] inline returned_object python_task::call_or_run(
    const python_resource& resource, instant begin) const {
    if (verb_ == task_verb::run) {
        return run_on(resource);
    }
    returned_object returned{call(chosen_)};
    if (returned.pending() != nullptr) [[unlikely]] {
        returned.pending()->begun_at(begin.time(), resource.record, group());
    } else {
        resource.record->returned(begin);
    }
    return returned;
}

returned_object python_task::operator()(const python_resource& resource) const {
    choose(resource.object);
    resource.record->begin();
    const auto begin = instant::now();
    try {
        return call_or_run(resource, begin);
    } catch (const py::error_already_set& error) {
        resource.record->failed(begin);
        resource.record->raised(chosen_, error.value());
        throw;
    } catch (...) {
        resource.record->failed(begin);
        throw;
    }
}

void python_task::refuse(std::span<const python_resource> resources) const {
    const gil_acquired gil;
    py::list suitable;
    for (const python_resource& each : resources) {
        if (suits(each)) {
            const bool is_excluded = !is_allowed(each);
            suitable.append(
                py::make_tuple(each.object.get(), is_excluded, to_python(each.record->health())));
        }
    }
    if (!suitable.empty()) {
        throw no_healthy_resource{py::module_::import("pointsman._health")
                                      .attr("why_none")(suitable)
                                      .cast<std::string>()};
    }
}

bool python_task::is_available(const python_resource& resource) const {
    const auto bit = static_cast<std::uint8_t>(resource.position < 8 ? 1U << resource.position : 0);
    if (!is_allowed(resource)) {
        choice_.tried |= bit;
        return false;
    }
    if (!resource.record->admits()) {
        choice_.in_quarantine |= bit;
        return false;
    }
    return true;
}

bool python_task::is_allowed(const python_resource& resource) const noexcept {
    if (excluded_ == nullptr) {
        return true;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(excluded_); ++i) {
        if (PyTuple_GET_ITEM(excluded_, i) == resource.object.ptr()) {
            return false;
        }
    }
    return true;
}

returned_object python_task::run_on(const python_resource& resource) const {
    const auto begin = clock::now();
    if (is_arena(chosen_)) {
        auto started = arena_call::start(value_in<arena>(chosen_), work_, arguments_, begin);
        auto pending = std::make_unique<pending_work>(arena_call::functions, started.get());
        static_cast<void>(started.detach());
        pending->begun_at(begin, resource.record, group());
        return returned_object{std::move(pending)};
    }
    const py::object run = runner_of(chosen_);
    PyObject* const returned = PyObject_Vectorcall(
        run.ptr(), passed_.values, static_cast<std::size_t>(passed_.by_position), passed_.keywords);
    if (returned == nullptr) {
        throw py::error_already_set{};
    }
    returned_object work{py::reinterpret_steal<py::object>(returned)};
    if (work.pending() != nullptr) {
        work.pending()->begun_at(begin, resource.record, group());
    } else {
        resource.record->took(clock::now() - begin);
    }
    return work;
}

std::uint64_t python_task::trace_sizes() const noexcept {
    const py::error_scope keeps_current_error;
    try {
        return sizes_of(work_, arguments_);
    } catch (const std::exception&) {  // raised by an argument
        return 0;
    }
}

void python_task::name_kind() const noexcept {
    try {
        kind_names::instance().remember(choice_.key,
                                        [this] { return described_kind(work_, arguments_); });
    } catch (py::error_already_set&) {  // by an attribute of the callable or of an argument
    } catch (const std::exception&) {
    }
}

/// The interpreter may use the slot before the first argument, which spares a copy of the arguments when
/// it calls a bound method.
py::object python_task::call(PyObject* resource) const {
    std::array<PyObject*, 10> few;
    std::vector<PyObject*> many;
    const auto given = static_cast<std::size_t>(arguments_.by_position + arguments_.by_keyword());
    PyObject** slots = few.data();
    if (given + 2 > few.size()) {
        many.resize(given + 2);
        slots = many.data();
    }
    slots[1] = resource;
    std::copy_n(arguments_.values, given, slots + 2);
    const auto by_position = static_cast<std::size_t>(arguments_.by_position) + 1;
    PyObject* const returned = PyObject_Vectorcall(
        work_, slots + 1, by_position | PY_VECTORCALL_ARGUMENTS_OFFSET, arguments_.keywords);
    if (returned == nullptr) {
        throw_error_of(work_);
    }
    return py::reinterpret_steal<py::object>(returned);
}

}  // namespace pointsman::python
