// SPDX-License-Identifier: Apache-2.0
// The rules that are compared: the policies' own, and those of oneDPL and StarPU.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine.hpp"

namespace bench::choice {

/// Chooses a server for each job and is told when jobs are complete.
class chooser {
  public:
    virtual ~chooser() = default;
    /// Empty when the job is to wait until another one is complete.
    [[nodiscard]] virtual std::optional<std::size_t> choose(std::size_t number,
                                                            const job& next) = 0;
    virtual void complete(std::size_t number, time_ns elapsed) = 0;
};

/// How a rule is made, by name.
struct rule {
    std::string name;
    std::unique_ptr<chooser> (*make)(const machine& hardware);
};

/// `auto_tune`, `earliest_finish`, oneDPL's auto-tuning and StarPU's dmda, in this order.
[[nodiscard]] const std::vector<rule>& all_rules();

}  // namespace bench::choice
