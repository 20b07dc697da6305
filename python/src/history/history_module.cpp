// SPDX-License-Identifier: Apache-2.0
// The extension module pointsman._history: files of timings, and their links to policies. Needs SQLite.
#include <pybind11/stl.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "decoded.hpp"
#include "gil.hpp"
#include "module_definition.hpp"
#include "pointsman/history/policy_history.hpp"
#include "tuning/record_bytes.hpp"

namespace pointsman::python {
namespace {

std::chrono::sys_seconds to_time(double seconds) {
    return std::chrono::sys_seconds{std::chrono::seconds{static_cast<std::int64_t>(seconds)}};
}

py::object to_path(const std::filesystem::path& path) {
    return py::reinterpret_steal<py::object>(PyUnicode_DecodeFSDefaultAndSize(
        path.c_str(), static_cast<Py_ssize_t>(path.native().size())));
}
std::filesystem::path from_path(const py::object& path) {
    return std::string{py::bytes{py::module_::import("os").attr("fsencode")(path)}};
}

/// A record as Python has it: the fields of `HistoryRecord` in their order.
py::tuple to_tuple(const history_record& of) {
    return py::make_tuple(of.kind.callable, of.kind.sizes, decoded(of.resource), of.timings.count,
                          of.timings.mean, of.timings.centre, of.timings.squares, of.is_exact,
                          of.updated.time_since_epoch().count(), decoded(of.name));
}
history_record from_tuple(const py::tuple& of) {
    history_record record;
    record.kind = {of[0].cast<std::uint64_t>(), of[1].cast<std::uint64_t>()};
    record.resource = of[2].cast<std::string>();
    record.timings = {of[3].cast<std::uint32_t>(), of[4].cast<double>(), of[5].cast<double>(),
                      of[6].cast<double>(), 0};
    record.is_exact = of[7].cast<bool>();
    record.name = of[9].cast<std::string>();
    return record;
}

/// A policy as `policy_history` uses one; called with the GIL released.
class linked_policy {
  public:
    explicit linked_policy(py::object learnt) : learnt_{std::move(learnt)} {}

    [[nodiscard]] std::vector<model_record> records() const {
        const gil_acquired gil;
        return to_records<model_record>(learnt_.get().attr("records")());
    }
    void take(const std::vector<model_record>& known) const {
        const gil_acquired gil;
        learnt_.get().attr("take")(to_bytes(known));
    }
    void expect(const std::vector<model_speed>& speeds) const {
        const gil_acquired gil;
        learnt_.get().attr("expect")(to_bytes(speeds));
    }
    void pin(const std::vector<model_pin>& pins) const {
        const gil_acquired gil;
        learnt_.get().attr("pin")(to_bytes(pins));
    }
    [[nodiscard]] std::string name_of(const task_key& kind) const {
        const gil_acquired gil;
        return py::str(learnt_.get().attr("name_of")(kind.callable, kind.sizes));
    }

  private:
    shared_object learnt_;
};

/// A policy and the file with which it shares what it learns; both live as long.
class history_link {
  public:
    history_link(std::shared_ptr<history> file, py::object learnt,
                 std::vector<std::string> identities)
        : file_{std::move(file)}, policy_{std::move(learnt)} {
        const gil_released others_submit;
        kept_.emplace(policy_, *file_, std::move(identities));
    }
    history_link(const history_link&) = delete;
    history_link& operator=(const history_link&) = delete;

    void flush(double now) {
        const gil_released others_submit;
        kept_->flush(to_time(now));
    }

  private:
    std::shared_ptr<history> file_;
    linked_policy policy_;
    std::optional<policy_history<linked_policy>> kept_;
};

void register_file(py::module_& m) {
    py::class_<history, std::shared_ptr<history>>(m, "File", "A file of timings.")
        .def(py::init([](const py::object& path) {
                 const auto native = from_path(path);
                 const gil_released others_write;
                 return std::make_shared<history>(native);
             }),
             py::arg("path"), "__init__(self, path)\n--\n\nOpen or create the file.")
        .def_property_readonly("path", [](const history& of) { return to_path(of.path()); })
        .def_property_readonly("set_aside",
                               [](const history& of) {
                                   return of.set_aside() ? to_path(*of.set_aside()) : py::none();
                               })
        .def(
            "records",
            [](const history& of) {
                std::vector<history_record> found;
                {
                    const gil_released others_write;
                    found = of.records();
                }
                py::list all;
                for (const history_record& each : found) {
                    all.append(to_tuple(each));
                }
                return all;
            },
            "records(self)\n--\n\nReturn all records, as tuples.")
        .def(
            "write",
            [](history& of, const std::vector<py::tuple>& added,
               const std::vector<py::tuple>& replaced, double now) {
                std::vector<history_record> more;
                std::vector<history_record> changed;
                for (const auto& [from, to] : {std::pair{&added, &more}, {&replaced, &changed}}) {
                    for (const py::tuple& each : *from) {
                        to->push_back(from_tuple(each));
                    }
                }
                const gil_released others_write;
                of.write(more, changed, to_time(now));
            },
            py::arg("added"), py::arg("replaced"), py::arg("now"),
            "write(self, added, replaced, now)\n--\n\nAdd records, and replace others.")
        .def(
            "prune",
            [](history& of, double time) {
                const gil_released others_write;
                return of.prune(to_time(time));
            },
            py::arg("time"),
            "prune(self, time)\n--\n\nRemove the records without an update since the time; return "
            "how many.")
        .def(
            "forget",
            [](history& of, const std::string& resource) {
                const gil_released others_write;
                return of.forget(resource);
            },
            py::arg("resource"),
            "forget(self, resource)\n--\n\nRemove the records of a resource; return how many.")
        .def(
            "set_speed",
            [](history& of, const std::string& resource, double launch, double bandwidth,
               double upload, double download) {
                const gil_released others_write;
                of.set_speed(resource, {launch, bandwidth, upload, download});
            },
            py::arg("resource"), py::arg("launch"), py::arg("bandwidth"), py::arg("upload"),
            py::arg("download"),
            "set_speed(self, resource, launch, bandwidth, upload, download)\n--\n\nKeep what a "
            "device can do.")
        .def(
            "speed_of",
            [](const history& of,
               const std::string& resource) -> std::optional<std::array<double, 4>> {
                std::optional<device_speed> found;
                {
                    const gil_released others_write;
                    found = of.speed_of(resource);
                }
                return found ? std::optional{std::array{found->launch, found->bandwidth,
                                                        found->upload, found->download}}
                             : std::nullopt;
            },
            py::arg("resource"),
            "speed_of(self, resource)\n--\n\nReturn the four numbers that are kept of a device, "
            "or None.")
        .def(
            "pin",
            [](history& of, std::uint64_t callable, std::uint64_t sizes,
               const std::string& resource) {
                const gil_released others_write;
                of.pin({{callable, sizes}, resource});
            },
            py::arg("callable"), py::arg("sizes"), py::arg("resource"),
            "pin(self, callable, sizes, resource)\n--\n\nPin a kind of task to a resource.")
        .def(
            "unpin",
            [](history& of, std::uint64_t callable, std::uint64_t sizes) {
                const gil_released others_write;
                return of.unpin({callable, sizes});
            },
            py::arg("callable"), py::arg("sizes"),
            "unpin(self, callable, sizes)\n--\n\nRemove a pin; return whether there was one.")
        .def(
            "pins",
            [](const history& of) {
                std::vector<history_pin> found;
                {
                    const gil_released others_write;
                    found = of.pins();
                }
                py::list all;
                for (const history_pin& each : found) {
                    all.append(py::make_tuple(each.kind.callable, each.kind.sizes,
                                              decoded(each.resource), decoded(each.name)));
                }
                return all;
            },
            "pins(self)\n--\n\nReturn all pins, as tuples.");
}

}  // namespace
}  // namespace pointsman::python

POINTSMAN_PYTHON_MODULE(_history, m) {
    namespace py = pybind11;
    using namespace pointsman::python;
    py::options options;
    options.disable_function_signatures();
    m.doc() = "Files of timings; the public interface is pointsman.History.";
    py::module_::import("pointsman._core");  // registers exceptions
    register_file(m);
    m.def(
        "default_path",
        [] {
            const auto found = pointsman::history::default_path();
            return found ? to_path(*found) : py::none();
        },
        "default_path()\n--\n\nReturn the path that the environment wants, or None.");
    py::class_<history_link>(m, "Link", "A policy that shares what it learns with a file.")
        .def(py::init<std::shared_ptr<pointsman::history>, py::object, std::vector<std::string>>(),
             py::arg("file"), py::arg("learnt"), py::arg("identities"),
             "__init__(self, file, learnt, identities)\n--\n\nHand the records of the file to the "
             "policy.")
        .def("flush", &history_link::flush, py::arg("now"),
             "flush(self, now)\n--\n\nWrite what was learnt since the last time.");
}
