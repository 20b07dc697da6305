// SPDX-License-Identifier: Apache-2.0
// The result of a runtime check of an executor: the executor to use, or why it is refused.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "pointsman/executor/executor.hpp"

namespace pointsman {

/// Why an executor must not be used, such as "switched off by POINTSMAN_ENABLE_ARENA_EXEC in the
/// environment: set it to ON".
struct executor_refusal {
    std::string reason;
};

/// The executor to use, or the reason for refusing it. A check may accept another executor than the one
/// that it was given, such as one with fewer threads or with another property.
/// **Example**: `if (n < 100) return executor_refusal{"fewer than 100 points"}; return executor;`
template <executor Executor>
class executor_fit {
  public:
    using executor_type = Executor;

    executor_fit(Executor accepted) : verdict_{std::in_place_index<0>, std::move(accepted)} {}
    executor_fit(executor_refusal refused) : verdict_{std::in_place_index<1>, std::move(refused)} {}

    /// Returns true if an executor was accepted.
    explicit operator bool() const noexcept { return verdict_.index() == 0; }
    /// The accepted executor. **Throws**: `std::bad_variant_access` if none was accepted.
    [[nodiscard]] const Executor& operator*() const { return std::get<0>(verdict_); }
    /// The reason for the refusal. **Throws**: `std::bad_variant_access` if there was none.
    [[nodiscard]] const std::string& reason() const { return std::get<1>(verdict_).reason; }

  private:
    std::variant<Executor, executor_refusal> verdict_;
};

}  // namespace pointsman
