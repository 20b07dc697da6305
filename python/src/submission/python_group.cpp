// SPDX-License-Identifier: Apache-2.0
// Waits for a group and for the failures that drivers' threads have noticed.
#include "submission/python_group.hpp"

#include <utility>

#include "submission/messenger.hpp"
#include "submission/wait.hpp"

namespace pointsman::python {

python_group python_group::of(const py::object& policy, default_submission_group group) {
    return {std::move(group), py::module_::import("pointsman._failures").attr("of")(policy)};
}

bool python_group::wait(const deadline_t& deadline) const {
    return wait_for_group(group_, deadline);
}

bool python_group::wait_and_raise(const deadline_t& deadline) const {
    const py::cpp_function wait_for_all{[this, &deadline] {
        if (!wait(deadline)) {
            return false;
        }
        const auto told = messenger::instance().end_of_sent();
        return wait_interruptibly({}, [&](clock::duration pause) { return told->wait_for(pause); });
    }};
    return failures_.get().attr("raise_after")(wait_for_all).cast<bool>();
}

}  // namespace pointsman::python
