// SPDX-License-Identifier: Apache-2.0
// Adds Queue.pinned: host memory from which and to which a device copies at its full rate.
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "checked_method.hpp"
#include "fairlead/resource/opencl/driver_mark.hpp"
#include "fairlead/resource/opencl/queue.hpp"
#include "gil.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/registers.hpp"

namespace fairlead::python {

namespace py = pybind11;

namespace {

/// Memory that the driver keeps in place, mapped for as long as this lives. It is mapped on a
/// queue of its own, so that it waits for nobody's commands.
class pinned_memory {
  public:
    pinned_memory(const opencl::queue& user, std::size_t size_bytes)
        : size_bytes_{size_bytes},
          queue_{user.context(), user.device().handle()},
          memory_{user.context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size_bytes},
          address_{queue_.enqueueMapBuffer(memory_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                           size_bytes)} {}
    pinned_memory(const pinned_memory&) = delete;
    pinned_memory& operator=(const pinned_memory&) = delete;
    ~pinned_memory() {
        if (opencl::detail::driver_mark().is_stale()) {
            memory_() = nullptr;  // to unmap and to release it is for the parent
            queue_() = nullptr;
            return;
        }
        const gil_released others_may_run;
        if (clEnqueueUnmapMemObject(queue_(), memory_(), address_, 0, nullptr, nullptr) ==
            CL_SUCCESS) {
            clFinish(queue_());
        }
    }

    [[nodiscard]] py::buffer_info bytes() const {
        return {address_, 1, py::format_descriptor<unsigned char>::format(),
                static_cast<py::ssize_t>(size_bytes_)};
    }

  private:
    std::size_t size_bytes_;
    cl::CommandQueue queue_;
    cl::Buffer memory_;
    void* address_;
};

py::object pinned(const opencl::queue& queue, const array_layout& layout) {
    auto memory = [&] {
        const gil_released others_may_run;
        return opencl::detail::translated(
            [&] { return std::make_unique<pinned_memory>(queue, layout.size_bytes); });
    }();
    return py::module_::import("numpy").attr("ndarray")(layout.shape, layout.dtype,
                                                        py::cast(std::move(memory)));
}

}  // namespace

void add_opencl_pinned(py::module_& m, py::class_<opencl::queue>& queue_class) {
    py::class_<pinned_memory>(m, "_PinnedMemory", py::buffer_protocol(),
                              "Owns the memory of an array that ``Queue.pinned`` made.")
        .def_buffer(&pinned_memory::bytes);
    add_checked(queue_class, layout_signature("pinned"),
                R"(Return a NumPy array in pinned host memory, its contents undefined.

shape: an int or a sequence of ints, from 1.
dtype: any NumPy dtype without Python objects.

``read`` and ``write`` with such an array, or with a C-contiguous part of it, run at the full rate
of the bus, which a GPU's driver does not reach with other memory. It serves every queue on the
same device. The array owns the memory, which goes when the last array, view or transfer that uses
it does. Pinned memory is scarce: make few arrays and use them again. Raises OpenCLError when the
driver has no more of it.)",
                [](const opencl::queue& q, const bound_arguments& given) {
                    return pinned(q, layout_of(given));
                });
}

}  // namespace fairlead::python
