// SPDX-License-Identifier: Apache-2.0
// Compiles a loop for every x86-64 processor and for those with AVX2.
#pragma once

namespace pointsman::python {

#if defined(__x86_64__)
/// Returns true if the processor has AVX2 and what else is tested here of x86-64-v3, which come with it.
[[nodiscard]] inline bool has_wide_registers() noexcept {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
}

template <class Loop, class... Arguments>
[[gnu::target("arch=x86-64-v3")]] auto run_wide(Arguments... arguments) noexcept {
    return Loop::run(arguments...);
}
#endif
template <class Loop, class... Arguments>
auto run_usual(Arguments... arguments) noexcept {
    return Loop::run(arguments...);
}

/// The function that calls `Loop::run`, which is always inlined, with `Arguments`, for this processor.
template <class Loop, class... Arguments>
[[nodiscard]] auto* loop_for_processor() noexcept {
#if defined(__x86_64__)
    static const bool is_wide = has_wide_registers();
    return is_wide ? &run_wide<Loop, Arguments...> : &run_usual<Loop, Arguments...>;
#else
    return &run_usual<Loop, Arguments...>;
#endif
}

}  // namespace pointsman::python
