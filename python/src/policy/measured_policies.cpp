// SPDX-License-Identifier: Apache-2.0
// Registers the policies that measure their resources.
#include <chrono>
#include <cmath>
#include <string>

#include "policy/register_policy.hpp"
#include "rooms.hpp"

namespace fairlead::python {
namespace {

std::chrono::nanoseconds to_duration(double seconds) {
    if (!std::isfinite(seconds) || seconds > 9e9) {
        throw invalid_option{"resample_time is " + std::to_string(seconds) +
                             " s: pass 0 (never) or a positive number of seconds"};
    }
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>{seconds});
}

template <class Policy>
void register_with_resample_time(py::module_& m, const char* name, const char* doc) {
    register_with_option<Policy, double>(
        m, name, {"resample_time", "0.0", "a number of seconds, 0 for never"}, 0.0, doc,
        [](double seconds, const resources_t&) { return to_duration(seconds); });
}

}  // namespace

void register_measured_policies(py::module_& m) {
    register_with_resample_time<over_objects<auto_tune_policy>>(
        m, "AutoTune", R"(Measures each kind of task on each resource, then uses the best.

resources: iterable of any objects; default ``fairlead.discover()``.
resample_time: seconds after which everything is measured again; 0 for never.

Each resource runs a kind of task twice before the choice; the first run is warm-up. What counts as
the same kind: the code of ``work``, and for each argument the power of two of its size (bytes of an
array, length of a container, magnitude of an integer). A ``fairlead.task`` says otherwise.)");
    register_with_resample_time<over_objects<earliest_finish_policy>>(
        m, "EarliestFinish", R"(Chooses the resource on which the task is expected to end first.

resources: iterable of any objects; default ``fairlead.discover()``.
resample_time: seconds after which everything is measured again; 0 for never.

Measures each kind of task on each resource as ``AutoTune`` does; then adds the predicted time of the
task to that of all work outstanding on the resource, and takes the least.)");
}

}  // namespace fairlead::python
