// SPDX-License-Identifier: Apache-2.0
// Registers functions that say whether a call's arguments are plain arrays under a host policy, and remember what a
// function of them is. They are called by every algorithm: in Python they take longer than the work on a hundred values.
#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "argument/arrays.hpp"
#include "argument/function_reads.hpp"
#include "guarded.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

/// What the functions share: they are methods of a capsule that holds it.
class plain_arguments {
  public:
    plain_arguments(py::object host_policy, py::tuple types, py::tuple numbers, py::object copied,
                    py::object operands, py::object constants)
        : host_policy_{std::move(host_policy)},
          kept_types_{std::move(types)},
          numbers_{std::move(numbers)},
          copied_{std::move(copied)},
          operands_{std::move(operands)},
          constants_{std::move(constants)} {}

    [[nodiscard]] PyObject* plain(PyObject* const* given, Py_ssize_t count) const {
        check(2 <= count && count <= 3, "pass a policy and one or two arrays");
        PyObject* const b = count == 3 ? given[2] : Py_None;
        if (!are_plain(given[0], given[1], b)) {
            Py_RETURN_NONE;
        }
        return PyTuple_Pack(3, given[0], given[1], b);
    }

    [[nodiscard]] PyObject* readable(PyObject* const* given, Py_ssize_t count) const {
        check(2 <= count && count <= 3, "pass a policy and one or two arrays");
        PyObject* const b = count == 3 ? given[2] : Py_None;
        if (are_plain(given[0], given[1], b)) {
            return PyTuple_Pack(3, given[0], given[1], b);
        }
        return copied_(py::handle{given[0]}, py::handle{given[1]}, py::handle{b}).release().ptr();
    }

    [[nodiscard]] PyObject* operands_for(PyObject* const* given, Py_ssize_t count) {
        check(count == 4, "pass a policy, a function, an array and another one or None");
        PyObject* const f = given[1];
        PyObject* const b = given[3];
        const bool has_number = is_of_one(numbers_, b);
        PyFunctionObject* const function = plain_function(f);
        const bool may_be_kept = are_plain(given[0], given[2], has_number ? Py_None : b) &&
                                 (function != nullptr || is_of_one(kept_types_, f));
        call_site site{};
        if (may_be_kept) {
            const array* const second = has_number ? nullptr : array_of(b);
            site = {function == nullptr ? f : function->func_code, array_of(given[2])->descr,
                    has_number          ? b
                    : second == nullptr ? nullptr
                                        : second->descr};
            if (const py::object typed = known(site, function)) {
                const auto arrays =
                    second == nullptr
                        ? py::reinterpret_steal<py::object>(Py_BuildValue("[O]", given[2]))
                        : py::reinterpret_steal<py::object>(Py_BuildValue("[OO]", given[2], b));
                return PyTuple_Pack(3, given[0], typed.ptr(), arrays.ptr());
            }
        }
        function_reads reads;
        if (may_be_kept && function != nullptr) {
            reads = function_reads{function};
        }
        auto found =
            operands_(py::handle{given[0]}, py::handle{f}, py::handle{given[2]}, py::handle{b});
        if (may_be_kept && !found.is_none()) {
            const py::tuple typed = py::tuple{found}[1];
            const auto reads_constants = [&] {  // and no other thread has replaced one meanwhile
                return !constants_(py::handle{f}).is_none() && reads.are_read_by(function);
            };
            if (typed[2].cast<bool>() && (function == nullptr || reads_constants())) {
                keep(site, typed, std::move(reads));
            }
        }
        return found.release().ptr();
    }

  private:
    /// The addresses of a function, or the code of one that is written in Python, and of the dtypes of its arrays, or of
    /// a number instead of the second one: objects that do not change.
    struct call_site {
        PyObject* f;
        PyObject* a;
        PyObject* b;

        bool operator==(const call_site&) const = default;
    };
    struct hash_of_site {
        std::size_t operator()(const call_site& site) const noexcept {
            const std::hash<const void*> hash;
            return (hash(site.f) * 31 + hash(site.a)) * 31 + hash(site.b);
        }
    };
    struct kept_function {
        py::object typed;
        function_reads reads;             // empty unless it is a function written in Python
        std::array<py::object, 3> alive;  // so that no other objects get their addresses
    };

    static void check(bool is_right, const char* remedy) {
        if (!is_right) {
            throw py::type_error{remedy};
        }
    }

    [[nodiscard]] bool are_plain(PyObject* policy, PyObject* a, PyObject* b) const {
        return reinterpret_cast<PyObject*>(Py_TYPE(policy)) == host_policy_.ptr() &&
               are_contiguous_arrays_of_numbers(a, b);
    }

    /// Returns true if `object` is of exactly one of the `types`.
    [[nodiscard]] static bool is_of_one(const py::tuple& types, PyObject* object) {
        for (const py::handle type : types) {
            if (reinterpret_cast<PyObject*>(Py_TYPE(object)) == type.ptr()) {
                return true;
            }
        }
        return false;
    }

    /// What is kept for a call site; null if nothing is, or if `function` reads other objects now.
    [[nodiscard]] py::object known(const call_site& site, PyFunctionObject* function) {
        std::shared_ptr<const kept_function> found;
        {
            const std::lock_guard lock{changing_};
            if (const auto at = kept_.find(site); at != kept_.end()) {
                found = at->second;
            }
        }
        const bool holds = found && (function == nullptr || found->reads.are_read_by(function));
        return holds ? found->typed : py::object{};
    }

    void keep(const call_site& site, const py::object& typed, function_reads reads) {
        constexpr std::size_t most = 1'024;
        const auto alive = [](PyObject* each) { return py::reinterpret_borrow<py::object>(each); };
        auto made = std::make_shared<const kept_function>(
            kept_function{typed, std::move(reads), {alive(site.f), alive(site.a), alive(site.b)}});
        decltype(kept_) dropped;  // destroyed last, because that may run any code
        const std::lock_guard lock{changing_};
        if (kept_.size() >= most) {
            dropped.swap(kept_);
        }
        std::swap(kept_[site], made);  // what was kept is destroyed after the lock
    }

    py::object host_policy_;
    py::tuple kept_types_;
    py::tuple numbers_;
    py::object copied_;
    py::object operands_;
    py::object constants_;
    std::mutex changing_;  // for Python without a GIL; nobody waits while it is locked
    std::unordered_map<call_site, std::shared_ptr<const kept_function>, hash_of_site> kept_;
};

template <auto Method>
PyObject* called(PyObject* self, PyObject* const* given, Py_ssize_t count) {
    return guarded<&translate_error>([&]() -> PyObject* {
        auto* const arguments = static_cast<plain_arguments*>(PyCapsule_GetPointer(self, nullptr));
        return (arguments->*Method)(given, count);
    });
}

PyMethodDef argument_functions[] = {
    {"plain", fast(&called<&plain_arguments::plain>), METH_FASTCALL,
     R"(plain(policy, a, b=None, /)
--

Return the arguments if ``policy`` is one of the host's and the arrays are contiguous ones of NumPy, of
numbers and of one shape with at least one dimension; else None. ``b`` may be None.)"},
    {"readable", fast(&called<&plain_arguments::readable>), METH_FASTCALL,
     R"(readable(policy, a, b=None, /)
--

Like ``plain``, but arrays that are not contiguous are copied: the caller must not write to them.)"},
    {"operands_for", fast(&called<&plain_arguments::operands_for>), METH_FASTCALL,
     R"(operands_for(policy, f, a, b, /)
--

Return what ``operands_of`` does, for arrays that are ``readable``, also after one of them is broadcast to
the shape of the other, or such an ``a`` and a number ``b``; else None. ``b`` may be None.

Raises as ``Expression.types`` if the expression is not defined for the types.)"},
};

py::tuple make_plain_arguments(py::type host_policy, py::tuple kept, py::tuple numbers,
                               py::function copied, py::function operands, py::function constants) {
    auto* const arguments =
        new plain_arguments{std::move(host_policy), std::move(kept),     std::move(numbers),
                            std::move(copied),      std::move(operands), std::move(constants)};
    const py::capsule self{arguments,
                           [](void* given) { delete static_cast<plain_arguments*>(given); }};
    py::list made;
    for (PyMethodDef& each : argument_functions) {
        made.append(py::reinterpret_steal<py::object>(PyCFunction_New(&each, self.ptr())));
    }
    return py::tuple{made};
}

}  // namespace

void register_plain_arguments(py::module_& m) {
    m.def("_plain_arguments", &make_plain_arguments, py::arg("host_policy"), py::arg("kept"),
          py::arg("numbers"), py::arg("copied"), py::arg("operands"), py::arg("constants"),
          R"(_plain_arguments(host_policy, kept, numbers, copied, operands, constants)
--

Return the functions ``plain``, ``readable`` and ``operands_for`` for policies of exactly the class
``host_policy``. The last keeps what ``operands`` returns, if that is final, for plain arrays, functions of
the classes ``kept`` and numbers of the classes ``numbers``, whose objects do not change, and for functions
written in Python that read only constants, for which ``constants`` does not return None. ``copied`` is
called for arrays that are not plain.)");
}

}  // namespace pointsman::python
