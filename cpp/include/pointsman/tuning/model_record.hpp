// SPDX-License-Identifier: Apache-2.0
// What a cost model has learnt or was told of one kind of task, as plain data that can be stored.
#pragma once

#include <cstddef>

#include "pointsman/tuning/evidence.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// A record of a `cost_model`. The key identifies the kind in another process too if it `is_stable()`, which those
/// of `stable_task_key` are; keys made of types or addresses are not.
struct model_record {
    task_key kind;
    std::size_t resource = 0;    ///< the index among the resources of the model
    evidence_summary timings{};  ///< of tasks with the hardware to themselves
    bool is_exact = true;        ///< the timings are exact, and not upper bounds
};

/// A kind of task that runs on one resource, whatever the `cost_model` has learnt.
struct model_pin {
    task_key kind;
    std::size_t resource = 0;  ///< the index among the resources of the model
};

}  // namespace pointsman
