// SPDX-License-Identifier: Apache-2.0
// The extension module pointsman._demo: runs the demo's image filters on an arena.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "demo/sepia_blur.hpp"
#include "gil.hpp"
#include "module_definition.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/resource/arena.hpp"
#include "submission/native_waitable.hpp"

namespace pointsman::python {
namespace {

using pixels = py::array_t<std::uint8_t, py::array::c_style>;

/// The result of a task. It holds the arrays that the task used, so that they are freed with the last
/// handle and no thread of the arena needs the GIL.
struct filtered {
    clock::time_point start;
    shared_object source;
    shared_object target;
};

using task_t = arena_task<filtered>;

[[nodiscard]] demo::image_size size_of(const pixels& image) {
    if (image.ndim() != 3 || image.shape(2) != 3 || image.size() == 0) {
        std::string shape;
        for (py::ssize_t i = 0; i < image.ndim(); ++i) {
            shape += (i > 0 ? ", " : "") + std::to_string(image.shape(i));
        }
        throw py::value_error{"image has the shape (" + shape +
                              "): pass an array of (height, width, 3), none of them 0"};
    }
    return {.height = static_cast<std::size_t>(image.shape(0)),
            .width = static_cast<std::size_t>(image.shape(1))};
}

[[nodiscard]] task_t sepia_blur(const arena& where, const pixels& image, pixels& out,
                                std::vector<float> taps, const std::array<float, 9>& sepia) {
    if (taps.size() % 2 == 0) {
        throw py::value_error{"taps has " + std::to_string(taps.size()) +
                              " elements: pass an odd number of them"};
    }
    const demo::image_size size = size_of(image);
    if (const demo::image_size given = size_of(out);
        given.height != size.height || given.width != size.width) {
        throw py::value_error{"out has another shape than image: pass arrays of one shape"};
    }
    return where.run([filter = demo::filter{std::move(taps), sepia}, size, from = image.data(),
                      to = out.mutable_data(), source = shared_object{image},
                      keep = shared_object{out}]() mutable {
        const clock::time_point start = clock::now();
        demo::sepia_blur(filter, from, size, to);
        return filtered{start, std::move(source), std::move(keep)};
    });
}

[[nodiscard]] double seconds(clock::time_point at) {
    return std::chrono::duration<double>{at.time_since_epoch()}.count();
}

/// Waits without the GIL.
[[nodiscard]] const filtered& finished(const task_t& task) {
    const gil_released others_may_run;
    return task.get();
}

void wait_quietly(const task_t& task) {
    try {
        task.wait();
    } catch (...) {  // result() raises the error
    }
}

const native_waitable task_functions{
    .acquire = [](PyObject* object) -> void* {
        return new task_t{py::handle{object}.cast<const task_t&>()};
    },
    .release = [](void* task) noexcept { delete static_cast<task_t*>(task); },
    .on_completion =
        [](void* task, completion_callback callback) {
            static_cast<task_t*>(task)->on_completion(callback);
        },
    .is_ready = [](void* task) { return static_cast<task_t*>(task)->is_ready(); },
    .wait = [](void* task) { wait_quietly(*static_cast<task_t*>(task)); },
    .outcome = [](void* task) noexcept { return static_cast<task_t*>(task)->outcome(); },
};

}  // namespace
}  // namespace pointsman::python

POINTSMAN_PYTHON_MODULE(_demo, m) {
    using namespace pointsman::python;
    py::options options;
    options.disable_function_signatures();
    m.doc() = "Image filters of the demo that run on an arena.";
    py::module_::import("pointsman._core");  // registers Arena

    py::class_<task_t> task(m, "FilterTask", "A photograph being filtered on an arena.");
    task.def("wait", &wait_quietly, py::call_guard<gil_released>(),
             "wait(self)\n--\n\n"
             "Block until the task is complete. ``result()`` raises its exception.")
        .def(
            "result", [](const task_t& t) { return finished(t).target.get(); },
            "result(self)\n--\n\n"
            "Block until the task is complete and return ``out``, or raise the task's exception.")
        .def("done", &task_t::is_ready,
             "done(self)\n--\n\nReturn whether the task is complete. Never blocks.")
        .def_property_readonly(
            "start", [](const task_t& t) { return seconds(finished(t).start); },
            "When the task began to run, in seconds on ``time.monotonic()``'s clock. Blocks.")
        .def_property_readonly(
            "end",
            [](const task_t& t) {
                static_cast<void>(finished(t));
                return seconds(t.outcome().end);
            },
            "When the task was complete, in seconds on ``time.monotonic()``'s clock. Blocks.");
    task.attr(native_waitable_attribute) = py::reinterpret_steal<py::object>(PyCapsule_New(
        const_cast<native_waitable*>(&task_functions), native_waitable_name, nullptr));

    m.def("sepia_blur", &sepia_blur, py::arg("arena"), py::arg("image"), py::arg("out").noconvert(),
          py::arg("taps"), py::arg("sepia"), R"(sepia_blur(arena, image, out, taps, sepia)
--

Start to apply sepia, then a Gaussian blur, to ``image`` on ``arena`` and write the result to ``out``.

image: uint8 array of shape (height, width, 3), red, green and blue; must not change until
    the task is complete.
out: array like ``image``; must not be used until the task is complete.
taps: one-dimensional kernel of the blur, an odd number of floats.
sepia: nine floats, the matrix that maps (red, green, blue) to (red, green, blue), row by row.

Returns a FilterTask at once; its result is ``out``. Raises ValueError for an array of another shape.)");
}
