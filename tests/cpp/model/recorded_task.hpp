// SPDX-License-Identifier: Apache-2.0
// Functions for the random walks that record when and where they were called.
#pragma once

#include "model/reference_model.hpp"
#include "support/manual_work.hpp"

namespace pointsman::test {

/// The function of a task whose work the test completes.
template <class Work>
struct recorded_task {
    task_record* record;
    manual_handle handle;

    Work operator()(const model_resource& where) const {
        ++record->calls;
        record->ran_on = where;
        Work work;
        static_cast<manual_handle&>(work) = handle;
        return work;
    }
};

/// The function of a task that is complete when it returns, or throws.
struct recorded_value {
    task_record* record;
    struct its_own_error {};

    int operator()(const model_resource& where) const {
        ++record->calls;
        record->ran_on = where;
        if (record->fails) {
            throw its_own_error{};
        }
        return 7;
    }
};

}  // namespace pointsman::test
