// SPDX-License-Identifier: Apache-2.0
// Walks through the contents of code objects and of constants.
#include "tuning/fingerprint.hpp"

#include <string>
#include <string_view>

#include "pointsman/tuning/stable_task_key.hpp"

namespace pointsman::python {
namespace {

/// Combines hashes in their order.
constexpr std::uint64_t joined(std::uint64_t seed, std::uint64_t next) noexcept {
    std::uint64_t mixed = (seed ^ next) * 0x9e3779b97f4a7c15ULL;
    return mixed ^ (mixed >> 29U);
}

std::string_view view_of(const py::bytes& bytes) { return bytes; }

std::uint64_t hash_of_text(const py::handle& text) {
    const auto encoded = py::reinterpret_steal<py::bytes>(
        PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!encoded) {
        throw py::error_already_set{};
    }
    return joined('s', stable_hash(view_of(encoded)));
}

/// Python hashes numbers that are equal to the same value, and -1 as -2.
std::uint64_t hash_of_number(const py::handle& number, numbers_by how) {
    if (how == numbers_by::text) {
        return stable_hash(std::string{py::repr(number)},
                           stable_hash(Py_TYPE(number.ptr())->tp_name));
    }
    const auto hash = static_cast<std::uint64_t>(py::hash(number));
    return joined('n', number.equal(py::int_{-1}) ? hash + 1 : hash);
}

bool is_number(PyObject* object) noexcept {
    return PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyBool_Check(object) ||
           PyComplex_CheckExact(object);
}

/// Returns true for a tuple, also a named one, that is compared as tuples are.
bool is_tuple(PyObject* object) noexcept {
    return PyTuple_Check(object) && Py_TYPE(object)->tp_hash == PyTuple_Type.tp_hash &&
           Py_TYPE(object)->tp_richcompare == PyTuple_Type.tp_richcompare;
}

std::optional<std::uint64_t> hash_of_tuple(const py::handle& tuple, numbers_by how) {
    std::uint64_t hash = 't';
    for (const py::handle item : py::reinterpret_borrow<py::tuple>(tuple)) {
        const auto next = fingerprint_of(item, how);
        if (!next) {
            return std::nullopt;
        }
        hash = joined(hash, *next);
    }
    return hash;
}

/// The order of a set differs from one process to the next.
std::optional<std::uint64_t> hash_of_set(const py::handle& set, numbers_by how) {
    std::uint64_t sum = 0;
    for (const py::handle item : py::reinterpret_borrow<py::object>(set)) {
        const auto next = fingerprint_of(item, how);
        if (!next) {
            return std::nullopt;
        }
        sum += joined(0, *next);
    }
    return joined('f', sum);
}

/// Neither the file nor the lines count, which change with other code. Python 3.10 has no `co_qualname`.
std::optional<std::uint64_t> hash_of_code(const py::handle& code) {
    std::uint64_t hash = 'c';
    for (const char* part : {"co_qualname", "co_name", "co_argcount", "co_posonlyargcount",
                             "co_kwonlyargcount", "co_flags", "co_code", "co_names", "co_varnames",
                             "co_freevars", "co_cellvars", "co_consts"}) {
        const auto next = fingerprint_of(py::getattr(code, part, py::none()), numbers_by::text);
        if (!next) {
            return std::nullopt;
        }
        hash = joined(hash, *next);
    }
    return hash;
}

}  // namespace

std::optional<std::uint64_t> fingerprint_of(const py::handle& object, numbers_by how) {
    PyObject* const of = object.ptr();
    if (PyUnicode_CheckExact(of)) {
        return hash_of_text(object);
    }
    if (PyBytes_CheckExact(of)) {
        return joined('b', stable_hash(view_of(py::reinterpret_borrow<py::bytes>(object))));
    }
    if (is_number(of)) {
        return hash_of_number(object, how);
    }
    if (object.is_none() || of == Py_Ellipsis) {
        return object.is_none() ? 1 : 2;
    }
    if (is_tuple(of)) {
        return hash_of_tuple(object, how);
    }
    if (PyFrozenSet_CheckExact(of)) {
        return hash_of_set(object, how);
    }
    return PyCode_Check(of) ? hash_of_code(object) : std::nullopt;
}

}  // namespace pointsman::python
