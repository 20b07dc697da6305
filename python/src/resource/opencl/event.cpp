// SPDX-License-Identifier: Apache-2.0
// Implements the Python type Event with CPython's API.
#include "resource/opencl/event_object.hpp"

#include <structmember.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "generic_class.hpp"
#include "gil.hpp"
#include "guarded.hpp"
#include "resource/opencl/errors.hpp"
#include "resource/opencl/event_waitable.hpp"
#include "resource/opencl/registers.hpp"
#include "submission/interruptible.hpp"

namespace pointsman::python {

using opencl::event;

namespace {

struct event_object {
    PyObject_HEAD PyObject* weak_references;
    PyObject* value;  // null if the event has no other result than itself
    union {
        event held;
    };
};

PyTypeObject* event_type = nullptr;

event& held_by(PyObject* self) noexcept { return reinterpret_cast<event_object*>(self)->held; }

const event& event_of(PyObject* object) noexcept { return held_by(object); }

void destroy(PyObject* self) {
    if (reinterpret_cast<event_object*>(self)->weak_references != nullptr) {
        PyObject_ClearWeakRefs(self);
    }
    std::destroy_at(&held_by(self));
    Py_XDECREF(reinterpret_cast<event_object*>(self)->value);
    PyTypeObject* const type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

/// Returns true if the command was complete before the timeout. **Throws**: `opencl::error` if it failed.
bool wait_within(PyObject* timeout, const event& e) {
    const deadline_t deadline = to_deadline(timeout);
    const bool is_complete = wait_by_asking(deadline, [&] { return e.is_ready(); });
    if (is_complete) {
        e.wait();
    }
    return is_complete;
}

PyObject* wait(PyObject* self, PyObject* const* values, Py_ssize_t given, PyObject* keywords) {
    return guarded<&translate_opencl_error>([&] {
        PyObject* const timeout = timeout_argument("wait", values, given, keywords);
        return Py_NewRef(wait_within(timeout, event_of(self)) ? Py_True : Py_False);
    });
}

PyObject* result(PyObject* self, PyObject* const* values, Py_ssize_t given, PyObject* keywords) {
    return guarded<&translate_opencl_error>([&] {
        PyObject* const timeout = timeout_argument("result", values, given, keywords);
        if (!wait_within(timeout, event_of(self))) {
            throw_wait_timeout(timeout);
        }
        PyObject* const value = reinterpret_cast<event_object*>(self)->value;
        return Py_NewRef(value == nullptr ? self : value);
    });
}

PyObject* done(PyObject* self, PyObject*) {
    return guarded<&translate_opencl_error>([&] {
        const bool is_complete = [&] {
            const gil_released others_may_run;
            return event_of(self).is_ready();
        }();
        return Py_NewRef(is_complete ? Py_True : Py_False);
    });
}

PyObject* elapsed(PyObject* self, void*) {
    const auto elapsed = event_of(self).elapsed();
    return elapsed ? PyFloat_FromDouble(std::chrono::duration<double>{*elapsed}.count())
                   : Py_NewRef(Py_None);
}

PyObject* repr(PyObject* self) {
    return PyUnicode_FromString(event_of(self).is_ready() ? "<Event, complete>"
                                                          : "<Event, running>");
}

template <class Function>
PyCFunction as_method(Function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

std::array<PyMethodDef, 4> methods{{
    {"wait", as_method(&wait), METH_FASTCALL | METH_KEYWORDS, R"(wait($self, /, timeout=None)
--

Block until the command is complete; return whether it is. Raises OpenCLError when it failed.

timeout: seconds; None for no limit. Ctrl-C ends the wait, not the command.)"},
    {"result", as_method(&result), METH_FASTCALL | METH_KEYWORDS, R"(result($self, /, timeout=None)
--

Block until the command is complete; return the array that ``enqueue_read`` made, or this event for other
commands. Raises OpenCLError when the command failed, WaitTimeoutError when it was not complete in time.

timeout: seconds; None for no limit. Ctrl-C ends the wait, not the command.)"},
    {"done", as_method(&done), METH_NOARGS, R"(done($self, /)
--

Return whether the command is complete, successful or not. Never blocks.)"},
    {},
}};

std::array<PyGetSetDef, 2> properties{{
    {"elapsed", &elapsed, nullptr,
     "Seconds that the device worked on the command; None before it is complete, after a failure "
     "and on a queue without profiling.",
     nullptr},
    {},
}};

std::array<PyMemberDef, 2> members{{
    {"__weaklistoffset__", T_PYSSIZET, offsetof(event_object, weak_references), READONLY, nullptr},
    {},
}};

template <class Pointer>
PyType_Slot slot(int id, Pointer value) {
    return {id, reinterpret_cast<void*>(value)};
}

py::object make_type() {
    std::array slots{
        PyType_Slot{
            Py_tp_doc,
            const_cast<char*>(
                R"(The completion of a command on a queue; made by ``Queue.enqueue`` and its variants.

Deleting the event does not affect the command.

>>> twice = "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
>>> queue = pm.opencl.Queue()
>>> buffer = queue.buffer(np.ones(3, dtype=np.float32))
>>> event = queue.enqueue(queue.build(twice).kernel("twice"), 3, buffer)
>>> queue.enqueue_read(buffer, wait_for=event).result(timeout=60)
array([2., 2., 2.], dtype=float32))")},
        slot(Py_tp_dealloc, &destroy),
        slot(Py_tp_repr, &repr),
        slot(Py_tp_methods, methods.data()),
        slot(Py_tp_getset, properties.data()),
        slot(Py_tp_members, members.data()),
        PyType_Slot{0, nullptr},
    };
    PyType_Spec spec{"pointsman._opencl.Event", static_cast<int>(sizeof(event_object)), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots.data()};
    auto made = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
    if (!made) {
        throw py::error_already_set{};
    }
    return made;
}

}  // namespace

PyObject* make_event(event&& made, PyObject* value) {
    auto* const object = PyObject_New(event_object, event_type);
    if (object == nullptr) {
        throw py::error_already_set{};
    }
    object->weak_references = nullptr;
    object->value = Py_XNewRef(value);
    std::construct_at(&object->held, std::move(made));
    return reinterpret_cast<PyObject*>(object);
}

const event* find_event(PyObject* object) noexcept {
    return Py_IS_TYPE(object, event_type) ? &event_of(object) : nullptr;
}

void register_opencl_event(py::module_& m) {
    const py::object type = make_type();
    type.attr(native_waitable_attribute) = event_waitable<&event_of>::capsule();
    make_generic(type);
    m.attr("Event") = type;
    event_type = reinterpret_cast<PyTypeObject*>(py::object{type}.release().ptr());
}

}  // namespace pointsman::python
