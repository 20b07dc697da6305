// SPDX-License-Identifier: Apache-2.0
// The order in which enable_exec_on_desc_priority tries executors.
#pragma once

namespace pointsman {

/// The priority of an executor type; `enable_exec_on_desc_priority` tries the highest first. It is the
/// member `priority`, or 0 without one. OpenCL 50, OpenMP 40, arena 30, unsequenced 20, inline 10; a nested
/// executor comes right before its outer one.
template <class Executor>
inline constexpr int executor_priority_v = 0;
template <class Executor>
    requires requires { Executor::priority; }
inline constexpr int executor_priority_v<Executor> = Executor::priority;

}  // namespace pointsman
