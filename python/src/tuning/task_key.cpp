// SPDX-License-Identifier: Apache-2.0
// Hashes the code of a callable and the sizes of its arguments, and writes both as a name.
#include "tuning/task_key.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <string>

#include "call_with.hpp"
#include "callable_name.hpp"
#include "has_attribute.hpp"
#include "kept_object.hpp"
#include "pointsman/tuning/size_class.hpp"
#include "tuning/fingerprint.hpp"

namespace pointsman::python {
namespace {

constinit kept_object name_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_name__"); }};
constinit kept_object size_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_size__"); }};
constinit kept_object wrapped_attribute{[] { return PyUnicode_InternFromString("__wrapped__"); }};
constinit kept_object nbytes_attribute{[] { return PyUnicode_InternFromString("nbytes"); }};
constinit kept_object name_of_enumerator{[] { return PyUnicode_InternFromString("_name_"); }};
constinit kept_object value_of_enumerator{[] { return PyUnicode_InternFromString("_value_"); }};
constinit kept_object call_attribute{[] { return PyUnicode_InternFromString("__call__"); }};
constinit kept_object own_name_attribute{[] { return PyUnicode_InternFromString("__name__"); }};
constinit kept_object args_attribute{[] { return PyUnicode_InternFromString("args"); }};
constinit kept_object keywords_attribute{[] { return PyUnicode_InternFromString("keywords"); }};
constinit kept_object partial_type{[] { return imported("functools", "partial"); }};
constinit kept_object enum_type{[] { return imported("enum", "Enum"); }};

/// A prime greater than the number of size classes of one argument.
constexpr std::uint64_t size_classes = 257;

/// The hash of what a key contains: the contents of code objects, of texts and of the other objects that
/// `fingerprint_of` knows, and the names of types and functions. An address may be reused, and Python's hashes of
/// texts differ from one process to the next.
std::uint64_t hash_by_contents(const py::handle& object) {
    if (const auto found = fingerprint_of(object)) {
        return *found;
    }
    return static_cast<std::uint64_t>(py::hash(object));
}

/// A class whose objects are called is identified by the code of `__call__` too.
std::uint64_t identity_of_type(PyObject* type) {
    PyObject* const called =
        _PyType_Lookup(reinterpret_cast<PyTypeObject*>(type), call_attribute.get());
    return called != nullptr && PyFunction_Check(called)
               ? hash_by_contents(PyFunction_GET_CODE(called))
               : 0;
}

bool is_text_of_kernels(PyObject* object) {
    Py_ssize_t size = 0;
    const char* const text =
        PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &size) : nullptr;
    if (text == nullptr) {
        PyErr_Clear();
        return false;
    }
    const std::string_view all{text, static_cast<std::size_t>(size)};
    const auto qualifier = all.find("kernel ");
    return qualifier != std::string_view::npos &&
           all.find("void", qualifier) != std::string_view::npos;
}

/// The hash of the OpenCL source texts among the globals that the code of `function` names; 0 if there are none.
std::uint64_t hash_of_kernels(PyObject* function) {
    const auto globals = py::reinterpret_borrow<py::dict>(PyFunction_GET_GLOBALS(function));
    const auto code = py::reinterpret_borrow<py::object>(PyFunction_GET_CODE(function));
    std::uint64_t hash = 0;
    for (const py::handle name : py::tuple{code.attr("co_names")}) {
        const auto value = globals.contains(name) ? py::object{globals[name]} : py::none();
        if (is_text_of_kernels(value.ptr())) {
            hash = hash * 31 + hash_by_contents(value);
        }
    }
    return hash;
}

/// `function` is the one to which a code object belongs, or null: its module counts, and so do the OpenCL
/// source texts that it names.
std::uint64_t identity_by_contents(PyObject* object, PyObject* function) {
    PyObject* const module = function == nullptr ? nullptr : PyFunction_GET_MODULE(function);
    if (PyCode_Check(object)) {
        const bool is_named = module != nullptr && PyUnicode_Check(module);
        return hash_by_contents(object) + (is_named ? hash_by_contents(module) : 0) +
               (function == nullptr ? 0 : hash_of_kernels(function));
    }
    if (PyUnicode_Check(object) || PyTuple_Check(object)) {
        return hash_by_contents(object);
    }
    const auto named_by = py::reinterpret_borrow<py::object>(object);
    return hash_by_contents(
               py::make_tuple(py::getattr(named_by, "__module__", py::none()),
                              py::getattr(named_by, "__qualname__", py::repr(named_by)))) +
           (PyType_Check(object) ? identity_of_type(object) : 0);
}

/// Caches recently found identities. Cache entries keep their objects alive, so that no address is reused.
class identity_cache {
  public:
    /// The cache of the threads that hold one GIL.
    static identity_cache& instance() {
#ifdef Py_GIL_DISABLED
        static thread_local identity_cache cache;
#else
        static identity_cache cache;
#endif
        return cache;
    }
    [[nodiscard]] std::uint64_t find(PyObject* object, PyObject* function = nullptr) {
        auto& [last, other] =
            pairs_[(reinterpret_cast<std::uintptr_t>(object) >> 4U) % pairs_.size()];
        if (last.object == object) [[likely]] {
            return last.identity;
        }
        if (other.object != object) {
            const std::uint64_t found = identity_by_contents(object, function);
            PyObject* const old = std::exchange(other.object, Py_NewRef(object));
            other.identity = found;
            std::swap(last, other);
            Py_XDECREF(old);
            return found;
        }
        std::swap(last, other);
        return last.identity;
    }

  private:
    struct entry {
        PyObject* object = nullptr;
        std::uint64_t identity = 0;
    };
    /// By address; each with the entry first that was used last.
    std::array<std::array<entry, 2>, 64> pairs_{};
};

/// The hash of the name given to a `pointsman.task` or `pointsman.variants`; 0 if there is none.
std::uint64_t name_of(PyObject* work) {
    PyObject* const attribute = name_attribute.get();
    if (hook_of(work, attribute) == nullptr) {
        return 0;
    }
    const py::object name = py::handle{work}.attr(attribute);
    return PyUnicode_Check(name.ptr()) || PyTuple_Check(name.ptr())
               ? identity_cache::instance().find(name.ptr())
               : static_cast<std::uint64_t>(py::hash(name));
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
    if (PyUnicode_Check(name.ptr())) {
        return identity_cache::instance().find(name.ptr());
    }
    const py::object value = py::getattr(member, value_of_enumerator.get(), py::none());
    return PyLong_Check(value.ptr())
               ? magnitude(value)
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
            sizes += identity_cache::instance().find(name.ptr()) * 131 *
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
        } else if (has_attribute(callable, wrapped)) {
            callable = callable.attr(wrapped);
        } else {
            break;
        }
    }
    return callable;
}

/// Combines the code of a function, the size classes of its default values and, recursively, the
/// identities of the functions that it closes over, such as a decorator's, at most `left` in all.
std::uint64_t function_identity(PyObject* function, identity_cache& cache, int& left) {
    auto identity = cache.find(PyFunction_GET_CODE(function), function);
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
            identity = identity * size_classes + cache.find(name.ptr());
        }
    }
    return identity;
}

/// An integer counts by its size class, as an argument does; any other object by its contents or else by
/// its hash, which another process does not know.
std::uint64_t stated_size(const py::object& stated) {
    if (PyLong_Check(stated.ptr())) {
        return size_class_of_argument(stated);
    }
    if (const auto found = fingerprint_of(stated)) {
        return *found & ~passing_sizes_mark;
    }
    return static_cast<std::uint64_t>(py::hash(stated)) | passing_sizes_mark;
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

std::uint64_t identity_of_callable(PyObject* work) {
    identity_cache& cache = identity_cache::instance();
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

}  // namespace

std::uint64_t callable_identity(PyObject* work) {
    return identity_of_callable(work) | task_key::stable_mark;
}

std::uint64_t sizes_of(PyObject* work, const passed_arguments& arguments) {
    if (hook_of(work, size_attribute.get()) != nullptr) {
        const py::object size = py::handle{work}.attr(size_attribute.get());
        if (!size.is_none()) {
            return stated_size(call_with(size, {}, arguments));
        }
    }
    const auto& [values, by_position, keywords] = arguments;
    auto sizes = static_cast<std::uint64_t>(by_position);
    for (Py_ssize_t i = 0; i < by_position; ++i) {
        sizes = sizes * size_classes + size_class_of_argument(values[i]);
    }
    for (Py_ssize_t i = 0; i < arguments.by_keyword(); ++i) {
        const py::handle name = PyTuple_GET_ITEM(keywords, i);
        sizes = sizes * size_classes + identity_cache::instance().find(name.ptr()) * 131 +
                size_class_of_argument(values[by_position + i]);
    }
    return sizes & ~passing_sizes_mark;
}

std::string described_kind(PyObject* work, const passed_arguments& arguments) {
    std::string sizes;
    const auto append = [&sizes](const std::string& size) {
        sizes += size.empty() || sizes.empty() ? size : ", " + size;
    };
    const auto& [values, by_position, keywords] = arguments;
    const bool states_size = hook_of(work, size_attribute.get()) != nullptr;
    const py::object size =
        states_size ? py::object{py::handle{work}.attr(size_attribute.get())} : py::none();
    if (!size.is_none()) {
        const py::object stated = call_with(size, {}, arguments);
        append(PyLong_Check(stated.ptr()) != 0 ? written_size(stated)
                                               : std::string{py::repr(stated)});
    } else {
        for (Py_ssize_t i = 0; i < by_position; ++i) {
            append(written_size(values[i]));
        }
        for (Py_ssize_t i = 0; i < arguments.by_keyword(); ++i) {
            const std::string name = py::str(py::handle{PyTuple_GET_ITEM(keywords, i)});
            append(name + "=" + written_size(values[by_position + i]));
        }
    }
    return sizes.empty() ? written_name(work) : written_name(work) + "(" + sizes + ")";
}

}  // namespace pointsman::python
