// SPDX-License-Identifier: Apache-2.0
// Registers the session and its recording, whose events pointsman._trace makes into Python objects.
#include "pointsman/trace/recording.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "gil.hpp"
#include "pointsman/error.hpp"
#include "pointsman/trace/save.hpp"
#include "pointsman/trace/session.hpp"
#include "pointsman/trace/wait_scope.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

using trace::event;
using trace::event_kind;
using trace::recording;

event_kind kind_called(std::string_view name) {
    for (std::size_t i = 0; i < trace::event_kind_names.size(); ++i) {
        if (trace::event_kind_names[i] == name) {
            return static_cast<event_kind>(i);
        }
    }
    throw invalid_option{"a trace has no events of the kind '" + std::string{name} + "'"};
}

/// Kind, time and duration in nanoseconds, task, name, resource, policy, thread, sizes, success, exactness.
using event_tuple = std::tuple<std::string, std::int64_t, std::int64_t, std::uint64_t, std::string,
                               std::string, std::string, std::uint32_t, std::uint64_t, bool, bool>;

/// Gives each text of a recording a number.
class numbered_texts {
  public:
    explicit numbered_texts(std::vector<std::string>& names) : names_{names} {
        names_.assign(1, "");
        numbers_.emplace("", 0);
    }
    [[nodiscard]] std::uint32_t operator()(const std::string& text) {
        const auto [known, is_new] =
            numbers_.try_emplace(text, static_cast<std::uint32_t>(names_.size()));
        if (is_new) {
            names_.push_back(text);
        }
        return known->second;
    }

  private:
    std::vector<std::string>& names_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
};

recording recording_of(const py::iterable& events, std::uint64_t dropped) {
    recording made;
    made.dropped = dropped;
    numbered_texts number{made.names};
    for (const auto& each : events) {
        const auto [kind, time, duration, task, name, resource, policy, thread, sizes, succeeded,
                    exact] = each.cast<event_tuple>();
        made.events.push_back({.time = clock::time_point{clock::duration{time}},
                               .duration = clock::duration{duration},
                               .task = task,
                               .sizes = sizes,
                               .name = number(name),
                               .resource = number(resource),
                               .policy = number(policy),
                               .thread = thread,
                               .kind = kind_called(kind),
                               .succeeded = succeeded,
                               .exact = exact});
    }
    made.put_in_order();
    return made;
}

/// The names as Python objects, which all events share.
class shared_names {
  public:
    explicit shared_names(const recording& made) {
        for (const std::string& each : made.names) {
            names_.append(each);
        }
        for (const char* each : trace::event_kind_names) {
            kinds_.append(each);
        }
    }
    [[nodiscard]] py::object name(std::uint32_t number) const {
        return names_[number < names_.size() ? number : 0];
    }
    [[nodiscard]] py::object kind(event_kind kind) const {
        return kinds_[static_cast<std::size_t>(kind)];
    }

  private:
    py::list names_;
    py::list kinds_;
};

std::int64_t nanoseconds(clock::time_point time) { return time.time_since_epoch().count(); }
std::optional<std::int64_t> nanoseconds(const std::optional<clock::time_point>& time) {
    return time ? std::optional{nanoseconds(*time)} : std::nullopt;
}

py::list events_of(const recording& made) {
    const shared_names names{made};
    py::list all;
    for (const event& each : made.events) {
        all.append(py::make_tuple(names.kind(each.kind), nanoseconds(each.time),
                                  each.duration.count(), each.task, names.name(each.name),
                                  names.name(each.resource), names.name(each.policy), each.thread,
                                  each.sizes, each.succeeded, each.exact));
    }
    return all;
}

py::list tasks_of(const recording& made) {
    const shared_names names{made};
    py::list all;
    for (const trace::task& each : made.tasks()) {
        all.append(py::make_tuple(each.number, names.name(each.name), names.name(each.resource),
                                  names.name(each.policy), each.thread, nanoseconds(each.submitted),
                                  nanoseconds(each.selected), nanoseconds(each.started),
                                  nanoseconds(each.ended), each.succeeded));
    }
    return all;
}

}  // namespace

void register_trace(py::module_& m) {
    py::class_<recording>(m, "_Recording", "The events of a trace.")
        .def(py::init(&recording_of), py::arg("events"), py::arg("dropped"),
             "__init__(self, events, dropped)\n--\n\nFrom the tuples that ``events()`` returns.")
        .def("events", &events_of, "events(self)\n--\n\nReturn a tuple for each event.")
        .def("tasks", &tasks_of, "tasks(self)\n--\n\nReturn a tuple for each task.")
        .def_readonly("dropped", &recording::dropped, "Number of events without room.")
        .def(
            "save",
            [](const recording& made, const std::filesystem::path& path) {
                const gil_released others_may_run;
                trace::save(made, path);
            },
            py::arg("path"),
            "save(self, path)\n--\n\nWrite JSON, or CSV if the path ends in .csv.");
    py::class_<trace::session>(m, "_TraceSession", "Records until it is stopped.")
        .def(py::init<std::size_t>(), py::arg("max_events"),
             "__init__(self, max_events)\n--\n\nBegin to record.")
        .def("stop", &trace::session::stop, py::call_guard<gil_released>(),
             "stop(self)\n--\n\nEnd the session and return its ``_Recording``.");
    m.def(
        "_trace_retry",
        [](const py::object& function) {
            trace::record_retry(trace::recorder::is_on() ? trace::name_table::instance().number_of(
                                                               function.cast<std::string>())
                                                         : 0);
        },
        py::arg("function"),
        "_trace_retry(function)\n--\n\nRecord that failed work with this name is submitted again.");
}

}  // namespace pointsman::python
