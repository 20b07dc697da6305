// SPDX-License-Identifier: Apache-2.0
// Adds Queue.pinned, which makes host memory that a device copies from and to at the full bus rate.
#include "resource/opencl/pinned.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "checked_method.hpp"
#include "gil.hpp"
#include "pointsman/binding/opencl.hpp"
#include "pointsman/resource/opencl/queue.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

/// Pinned memory exported to Python; freed without the GIL, since the driver may take long.
class exported_memory {
  public:
    exported_memory(const opencl::queue& user, std::size_t size_bytes)
        : memory_{std::in_place, user.context(), user.device().handle(), size_bytes} {}
    exported_memory(const exported_memory&) = delete;
    exported_memory& operator=(const exported_memory&) = delete;
    ~exported_memory() {
        const gil_released others_may_run;
        memory_.reset();
    }

    [[nodiscard]] py::buffer_info bytes() const {
        return {memory_->address(), 1, py::format_descriptor<unsigned char>::format(),
                static_cast<py::ssize_t>(memory_->size_bytes())};
    }

  private:
    std::optional<binding::pinned_memory> memory_;
};

}  // namespace

py::object pinned_array(const opencl::queue& queue, const array_layout& layout) {
    auto memory = [&] {
        const gil_released others_may_run;
        return binding::translated(
            [&] { return std::make_unique<exported_memory>(queue, layout.size_bytes); });
    }();
    return py::module_::import("numpy").attr("ndarray")(layout.shape, layout.dtype,
                                                        py::cast(std::move(memory)));
}

bool is_pinned(py::handle array) {
    // The base of a view is the array that it views; the base of that array owns the memory.
    auto owner = py::reinterpret_borrow<py::object>(array);
    while (!owner.is_none() && !py::isinstance<exported_memory>(owner)) {
        owner = py::getattr(owner, "base", py::none());
    }
    return !owner.is_none();
}

void add_opencl_pinned(py::module_& m, py::class_<opencl::queue>& queue_class) {
    py::class_<exported_memory>(m, "_PinnedMemory", py::buffer_protocol(),
                                "Owns the memory of an array that ``Queue.pinned`` made.")
        .def_buffer(&exported_memory::bytes);
    add_checked(queue_class, layout_signature("pinned"),
                R"(Return a NumPy array in pinned host memory, its contents undefined.

shape: an int or a sequence of ints, from 1.
dtype: any NumPy dtype without Python objects.

``read``, ``write``, ``enqueue_read`` and ``enqueue_write`` with the array, or with a C-contiguous
part of it, run at the full rate of the bus; ``enqueue_read`` and ``enqueue_write`` are far slower
with other memory. Every queue on the same device can use it. The memory is freed with the last
array, view or transfer that uses it. Pinned memory is scarce: make few arrays and reuse them.
Raises OpenCLError when the driver has no more of it.)",
                [](const opencl::queue& q, const bound_arguments& given) {
                    return pinned_array(q, layout_of(given));
                });
}

}  // namespace pointsman::python
