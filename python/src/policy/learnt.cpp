// SPDX-License-Identifier: Apache-2.0
// Registers the class by which the module of histories reads and writes what a policy has learnt.
#include "policy/learnt.hpp"

#include <cstdint>

#include "decoded.hpp"
#include "gil.hpp"
#include "rooms.hpp"
#include "tuning/kind_names.hpp"
#include "tuning/record_bytes.hpp"

namespace pointsman::python {

void register_learnt(py::module_& m) {
    py::class_<learnt>(m, "_Learnt",
                       "What a policy learns of the resources that it had when this was made.")
        .def(
            "records",
            [](const learnt& of) {
                std::vector<model_record> found;
                {
                    const gil_released others_submit;
                    found = of.records();
                }
                return to_bytes(found);
            },
            "records(self)\n--\n\nReturn all records, as bytes.")
        .def(
            "take",
            [](const learnt& of, const py::bytes& records) {
                const auto known = to_records<model_record>(records);
                const gil_released others_submit;
                of.take(known);
            },
            py::arg("records"), "take(self, records)\n--\n\nTake over records of another process.")
        .def(
            "expect",
            [](const learnt& of, const py::bytes& speeds) {
                const auto all = to_records<model_speed>(speeds);
                const gil_released others_submit;
                of.expect(all);
            },
            py::arg("speeds"),
            "expect(self, speeds)\n--\n\nOrder the first trials by the speeds of devices.")
        .def(
            "pin",
            [](const learnt& of, const py::bytes& pins) {
                const auto all = to_records<model_pin>(pins);
                const gil_released others_submit;
                of.pin(all);
            },
            py::arg("pins"),
            "pin(self, pins)\n--\n\nPut kinds of tasks on resources, and no others any longer.")
        .def_static(
            "name_of",
            [](std::uint64_t callable, std::uint64_t sizes) {
                return decoded(kind_names::instance().name_of({callable, sizes}));
            },
            py::arg("callable"), py::arg("sizes"),
            "name_of(callable, sizes)\n--\n\nReturn the name of a kind of task, which may be "
            "empty.");
}

}  // namespace pointsman::python
