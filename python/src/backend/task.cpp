// SPDX-License-Identifier: Apache-2.0
// Derives the key of a Python task from its callable and arguments, and runs the task on a resource.
#include "backend/task.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/call_with.hpp"
#include "callable_name.hpp"
#include "instance.hpp"
#include "instant.hpp"
#include "kept_object.hpp"
#include "pointsman/tuning/size_class.hpp"
#include "resource/arena_call.hpp"
#include "rooms.hpp"
#include "tuning/kind_names.hpp"

namespace pointsman::python {
namespace {

constinit kept_object name_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_name__"); }};
constinit kept_object size_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_size__"); }};
constinit kept_object refusal_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_refusal__"); }};
constinit kept_object wrapped_attribute{[] { return PyUnicode_InternFromString("__wrapped__"); }};
constinit kept_object nbytes_attribute{[] { return PyUnicode_InternFromString("nbytes"); }};
constinit kept_object name_of_enumerator{[] { return PyUnicode_InternFromString("_name_"); }};
constinit kept_object own_name_attribute{[] { return PyUnicode_InternFromString("__name__"); }};
constinit kept_object args_attribute{[] { return PyUnicode_InternFromString("args"); }};
constinit kept_object keywords_attribute{[] { return PyUnicode_InternFromString("keywords"); }};
constinit kept_object partial_type{[] { return imported("functools", "partial"); }};
constinit kept_object enum_type{[] { return imported("enum", "Enum"); }};

/// A prime greater than the number of size classes of one argument.
constexpr std::uint64_t size_classes = 257;

/// Set when the module is loaded: looking the type up would take longer than the check.
PyTypeObject* arena_type = nullptr;

/// The attribute `name` of the type of `work`, or null; for a plain function null without a lookup.
PyObject* hook_of(PyObject* work, PyObject* name) noexcept {
    return PyFunction_Check(work) ? nullptr : _PyType_Lookup(Py_TYPE(work), name);
}

/// The hash of the name given to a `pointsman.task` or `pointsman.variants`; 0 if there is none.
std::uint64_t name_of(PyObject* work) {
    PyObject* const attribute = name_attribute.get();
    if (hook_of(work, attribute) == nullptr) {
        return 0;
    }
    return static_cast<std::uint64_t>(py::hash(py::handle{work}.attr(attribute)));
}

/// Returns true if `callable` may have an attribute `__wrapped__`; most functions have no attributes.
bool may_wrap(PyObject* callable) {
    return !PyFunction_Check(callable) ||
           reinterpret_cast<PyFunctionObject*>(callable)->func_dict != nullptr;
}

std::uint64_t magnitude(const py::handle& integer) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (overflow != 0) {
        return UINT64_MAX;
    }
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value);
}

bool is_built_in_container(PyObject* object) {
    return PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) ||
           PyList_CheckExact(object) || PyTuple_CheckExact(object) || PyDict_CheckExact(object);
}

bool has_length(PyObject* object) noexcept {
    const PyTypeObject* const type = Py_TYPE(object);
    return (type->tp_as_sequence != nullptr && type->tp_as_sequence->sq_length != nullptr) ||
           (type->tp_as_mapping != nullptr && type->tp_as_mapping->mp_length != nullptr);
}

std::uint64_t class_of_length(PyObject* object) {
    if (has_length(object)) {
        if (const Py_ssize_t length = PyObject_Size(object); length >= 0) {
            return size_class_of(static_cast<std::uint64_t>(length));
        }
        PyErr_Clear();
    }
    return 0;
}

/// The class of an enumerator, from its name, which differs from the names of the other members whatever
/// their values are; a combination of flags may have no name.
std::uint64_t class_of_enumerator(const py::handle& member) {
    const py::object name = py::getattr(member, name_of_enumerator.get(), py::none());
    return PyUnicode_Check(name.ptr()) ? static_cast<std::uint64_t>(py::hash(name))
           : PyLong_Check(member.ptr())
               ? magnitude(member)
               : static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(member.ptr()));
}

bool is_numpy_bool(PyObject* object) noexcept {
    const std::string_view type{Py_TYPE(object)->tp_name};
    return type == "numpy.bool_" || type == "numpy.bool";
}

/// The size class of an argument that is no int, float, bool, None, function or built-in container.
std::uint64_t size_class_of_object(const py::handle& argument) {
    PyObject* const object = argument.ptr();
    if (PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(enum_type.get())) != 0) {
        return class_of_enumerator(argument);
    }
    if (is_numpy_bool(object)) {
        return size_class<bool>::of(PyObject_IsTrue(object) == 1);
    }
    if (PyIndex_Check(object) != 0 && !has_length(object)) {  // a NumPy integer
        if (const auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(object))) {
            return size_class_of(magnitude(integer));
        }
        PyErr_Clear();
    }
    const py::object bytes = py::getattr(argument, nbytes_attribute.get(), py::none());
    return PyLong_Check(bytes.ptr()) ? size_class_of(magnitude(bytes)) : class_of_length(object);
}

std::uint64_t size_class_of_argument(const py::handle& argument) {
    PyObject* const object = argument.ptr();
    if (PyLong_CheckExact(object)) {
        return size_class_of(magnitude(argument));
    }
    if (is_built_in_container(object)) {
        return class_of_length(object);
    }
    if (argument.is_none() || PyFloat_CheckExact(object) || PyFunction_Check(object)) {
        return 0;
    }
    if (PyBool_Check(object)) {
        return size_class<bool>::of(object == Py_True);
    }
    return size_class_of_object(argument);
}

/// Combines the size classes of arguments that are bound to a callable; 0 if there are none.
std::uint64_t sizes_of_bound(const py::handle& values, const py::handle& by_name) {
    std::uint64_t sizes = 0;
    if (values && PyTuple_Check(values.ptr())) {
        for (const py::handle value : py::reinterpret_borrow<py::tuple>(values)) {
            sizes = sizes * size_classes + size_class_of_argument(value) + 1;
        }
    }
    if (by_name && PyDict_Check(by_name.ptr())) {
        for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(by_name)) {
            const auto held = py::reinterpret_borrow<py::object>(
                value);  // held because __hash__ or an attribute lookup may run Python code
            sizes += static_cast<std::uint64_t>(py::hash(name)) * 131 *
                     (size_class_of_argument(held) + 1);
        }
    }
    return sizes;
}

/// The function inside partials, bound methods and decorators. Adds the task names on the way to it and
/// the size classes of bound arguments to `names`. The number of layers is limited, since a proxy may
/// claim to wrap another object without end.
py::object innermost(py::object callable, std::uint64_t& names) {
    auto* const partial = reinterpret_cast<PyTypeObject*>(partial_type.get());
    PyObject* const wrapped = wrapped_attribute.get();
    for (int layers = 0; layers < 64; ++layers) {
        names = names * 67 + name_of(callable.ptr());
        if (PyMethod_Check(callable.ptr())) {
            names += size_class_of_argument(PyMethod_Self(callable.ptr()));
            callable = py::reinterpret_borrow<py::object>(PyMethod_Function(callable.ptr()));
        } else if (!may_wrap(callable.ptr())) {
            break;
        } else if (PyObject_TypeCheck(callable.ptr(), partial) != 0) {
            names = names * size_classes + sizes_of_bound(callable.attr(args_attribute.get()),
                                                          callable.attr(keywords_attribute.get()));
            callable = callable.attr("func");
        } else if (PyObject_HasAttr(callable.ptr(), wrapped) == 1) {
            callable = callable.attr(wrapped);
        } else {
            break;
        }
    }
    return callable;
}

/// Code objects are hashed by their contents, types by their name: an address may be reused.
std::uint64_t identity_by_contents(PyObject* object) {
    const auto named_by = py::reinterpret_borrow<py::object>(object);
    if (PyCode_Check(object)) {
        return static_cast<std::uint64_t>(py::hash(named_by));
    }
    return static_cast<std::uint64_t>(
        py::hash(py::make_tuple(py::getattr(named_by, "__module__", py::none()),
                                py::getattr(named_by, "__qualname__", py::repr(named_by)))));
}

/// Caches recently found identities. Cache entries keep their objects alive, so that no address is reused.
class identity_cache {
  public:
    [[nodiscard]] std::uint64_t find(PyObject* object) {
        auto& cached = entries_[(reinterpret_cast<std::uintptr_t>(object) >> 4U) % entries_.size()];
        if (cached.object != object) {
            const std::uint64_t found = identity_by_contents(object);
            PyObject* const old = std::exchange(cached.object, Py_NewRef(object));
            cached.identity = found;
            Py_XDECREF(old);
        }
        return cached.identity;
    }

  private:
    struct entry {
        PyObject* object = nullptr;
        std::uint64_t identity = 0;
    };
    std::array<entry, 64> entries_{};
};

/// Combines the code of a function, the size classes of its default values and, recursively, the
/// identities of the functions that it closes over, such as a decorator's, at most `left` in all.
std::uint64_t function_identity(PyObject* function, identity_cache& cache, int& left) {
    auto identity = cache.find(PyFunction_GET_CODE(function));
    PyObject* const defaults = PyFunction_GET_DEFAULTS(function);
    PyObject* const by_name = PyFunction_GET_KW_DEFAULTS(function);
    if (defaults != nullptr || by_name != nullptr) {
        identity += sizes_of_bound(defaults, by_name);
    }
    PyObject* const cells = PyFunction_GET_CLOSURE(function);
    const Py_ssize_t count = cells == nullptr ? 0 : PyTuple_GET_SIZE(cells);
    for (Py_ssize_t i = 0; i < count; ++i) {
        const auto held = py::reinterpret_steal<py::object>(PyCell_Get(PyTuple_GET_ITEM(cells, i)));
        if (held && PyFunction_Check(held.ptr()) && held.ptr() != function && left > 0) {
            --left;
            identity = identity * size_classes + function_identity(held.ptr(), cache, left);
        }
    }
    return identity;
}

/// The identity of a callable object: its type and, if the type defines `__name__`, as the type of NumPy's
/// functions does, its name.
std::uint64_t object_identity(const py::object& callable, identity_cache& cache) {
    PyTypeObject* const type = Py_TYPE(callable.ptr());
    std::uint64_t identity = cache.find(reinterpret_cast<PyObject*>(type));
    if (_PyType_Lookup(type, own_name_attribute.get()) != nullptr) {
        const py::object name = py::getattr(callable, own_name_attribute.get(), py::none());
        if (PyUnicode_Check(name.ptr())) {
            identity = identity * size_classes + static_cast<std::uint64_t>(py::hash(name));
        }
    }
    return identity;
}

std::uint64_t identity(PyObject* work) {
#ifdef Py_GIL_DISABLED
    static thread_local identity_cache cache;
#else
    static identity_cache cache;
#endif
    constexpr int most_functions = 8;
    int left = most_functions;
    if (PyFunction_Check(work) && !may_wrap(work)) {
        return function_identity(work, cache, left);
    }
    std::uint64_t names = 0;
    const py::object callable = innermost(py::reinterpret_borrow<py::object>(work), names);
    if (PyFunction_Check(callable.ptr())) {
        return names + function_identity(callable.ptr(), cache, left);
    }
    if (PyCFunction_Check(callable.ptr())) {
        PyObject* const self = PyCFunction_GET_SELF(callable.ptr());
        const bool is_bound = self != nullptr && !PyModule_Check(self);
        return names + cache.find(callable.ptr()) + (is_bound ? size_class_of_argument(self) : 0);
    }
    return names + (PyType_Check(callable.ptr()) ? cache.find(callable.ptr())
                                                 : object_identity(callable, cache));
}

/// An integer counts by its size class, as an argument does; any other object by its hash.
std::uint64_t stated_size(const py::object& stated) {
    return PyLong_Check(stated.ptr()) ? size_class_of_argument(stated)
                                      : static_cast<std::uint64_t>(py::hash(stated));
}

/// The name of a callable: that which a `pointsman.task` gives it, or else `qualified_name_of`.
std::string written_name(PyObject* work) {
    if (hook_of(work, name_attribute.get()) != nullptr) {
        const py::object name = py::handle{work}.attr(name_attribute.get());
        if (PyUnicode_Check(name.ptr()) != 0) {
            return py::str(name);
        }
    }
    return py::str(qualified_name_of(py::reinterpret_borrow<py::object>(work)));
}

/// "2^12" for the size class of an argument; empty for one whose size does not count.
std::string written_size(const py::handle& argument) {
    constexpr std::uint64_t most = 64;  // higher classes stand for values
    if (PyBool_Check(argument.ptr()) != 0) {
        return argument.ptr() == Py_True ? "True" : "False";
    }
    const std::uint64_t size = size_class_of_argument(argument);
    return size == 0 ? "" : size > most ? "value" : "2^" + std::to_string(size - 1);
}

bool is_arena(PyObject* object) { return PyObject_TypeCheck(object, arena_type) != 0; }

/// The method with which `resource` runs functions, or null.
py::object find_runner(const py::handle& resource) {
    const py::object executor = py::module_::import("concurrent.futures").attr("Executor");
    const bool is_executor = py::isinstance(resource, executor);
    for (const char* name : {"run", "submit"}) {
        if (!(is_executor && std::string_view{name} == "run") && py::hasattr(resource, name)) {
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

bool runs_functions(const python_resource& resource) {
    return resource.runs_functions || find_runner(resource.object.get());
}

bool python_resource::reports_exact_times() const {
    const py::gil_scoped_acquire gil;
    return py::module_::import("pointsman._backend")
        .attr("reports_exact_times")(object.get())
        .cast<bool>();
}

bool accepts(PyObject* callable, const python_resource& resource) {
    return py::handle{callable}.attr(refusal_attribute.get())(resource.object.get()).is_none();
}

void register_task(py::module_& m) {
    arena_type = reinterpret_cast<PyTypeObject*>(py::type::of<arena>().ptr());
    m.def(
        "_task_identity", [](const py::object& work) { return identity(work.ptr()); },
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
    const python_resource& resource) const {
    if (verb_ == task_verb::run) {
        return run_on(resource);
    }
    const auto begin = instant::now();
    returned_object returned{call(chosen_)};
    if (returned.pending() != nullptr) [[unlikely]] {
        returned.pending()->begun_at(begin.time(), resource.record);
    } else {
        resource.record->returned(begin);
    }
    return returned;
}

returned_object python_task::operator()(const python_resource& resource) const {
    choose(resource.object);
    try {
        return call_or_run(resource);
    } catch (...) {
        resource.record->failed();
        throw;
    }
}

returned_object python_task::run_on(const python_resource& resource) const {
    const auto begin = clock::now();
    if (is_arena(chosen_)) {
        auto started = arena_call::start(value_in<arena>(chosen_), work_, arguments_, begin);
        auto pending = std::make_unique<pending_work>(arena_call::functions, started.get());
        static_cast<void>(started.detach());
        pending->begun_at(begin, resource.record);
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
        work.pending()->begun_at(begin, resource.record);
    } else {
        resource.record->took(clock::now() - begin);
    }
    return work;
}

/// For example "total(2^12, order=2^0)", or "solve('dense')" for a task that states its size.
std::string python_task::described_kind() const {
    std::string sizes;
    const auto append = [&sizes](const std::string& size) {
        sizes += size.empty() || sizes.empty() ? size : ", " + size;
    };
    const auto& [values, by_position, keywords] = arguments_;
    const bool states_size = hook_of(work_, size_attribute.get()) != nullptr;
    const py::object size =
        states_size ? py::object{py::handle{work_}.attr(size_attribute.get())} : py::none();
    if (!size.is_none()) {
        const py::object stated = call_with(size, {}, arguments_);
        append(PyLong_Check(stated.ptr()) != 0 ? written_size(stated)
                                               : std::string{py::repr(stated)});
    } else {
        for (Py_ssize_t i = 0; i < by_position; ++i) {
            append(written_size(values[i]));
        }
        for (Py_ssize_t i = 0; i < arguments_.by_keyword(); ++i) {
            const std::string name = py::str(py::handle{PyTuple_GET_ITEM(keywords, i)});
            append(name + "=" + written_size(values[by_position + i]));
        }
    }
    return sizes.empty() ? written_name(work_) : written_name(work_) + "(" + sizes + ")";
}

void python_task::name_kind() const noexcept {
    try {
        kind_names::instance().remember(choice_.key, [this] { return described_kind(); });
    } catch (py::error_already_set&) {  // by an attribute of the callable or of an argument
    } catch (const std::exception&) {
    }
}

std::uint64_t python_task::find_callable() const { return identity(work_); }

std::uint64_t python_task::find_sizes() const {
    if (hook_of(work_, size_attribute.get()) != nullptr) {
        const py::object size = py::handle{work_}.attr(size_attribute.get());
        if (!size.is_none()) {
            return stated_size(call_with(size, {}, arguments_));
        }
    }
    const auto& [values, by_position, keywords] = arguments_;
    auto sizes = static_cast<std::uint64_t>(by_position);
    for (Py_ssize_t i = 0; i < by_position; ++i) {
        sizes = sizes * size_classes + size_class_of_argument(values[i]);
    }
    for (Py_ssize_t i = 0; i < arguments_.by_keyword(); ++i) {
        const py::handle name = PyTuple_GET_ITEM(keywords, i);
        sizes = sizes * size_classes + static_cast<std::uint64_t>(py::hash(name)) * 131 +
                size_class_of_argument(values[by_position + i]);
    }
    return sizes;
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
