// SPDX-License-Identifier: Apache-2.0
// Functions for the random walks that record when and where they were called.
#pragma once

#include "model/reference_model.hpp"
#include "support/manual_work.hpp"

namespace pointsman::test {

/// The function of a task whose work is completed by the test.
template <class Work>
struct recorded_task {
    task_record* record;
    manual_handle handle;

    Work operator()(const place& where) const {
        ++record->calls;
        record->ran_on = where;
        Work work;
        static_cast<manual_handle&>(work) = handle;
        return work;
    }
};

/// The function of a task that is complete, or has failed, when it returns.
struct recorded_value {
    task_record* record;
    struct its_own_error {};

    int operator()(const place& where) const {
        ++record->calls;
        record->ran_on = where;
        if (record->fails) {
            throw its_own_error{};
        }
        return 7;
    }
};

}  // namespace pointsman::test
