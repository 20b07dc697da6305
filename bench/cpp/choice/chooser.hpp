// SPDX-License-Identifier: Apache-2.0
// The rules that the simulation compares: those of pointsman's policies, of oneDPL and of StarPU.
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
    /// Returns the server for `next`; empty if the job must wait until another job is complete.
    [[nodiscard]] virtual std::optional<std::size_t> choose(std::size_t number, const job& next,
                                                            time_ns now) = 0;
    virtual void complete(std::size_t number, time_ns elapsed, time_ns now) = 0;
    /// Goes on in another process: keeps only what the rule's own system keeps in files.
    virtual void restart() = 0;
};

/// A rule's name, and the function that creates it.
struct rule {
    std::string name;
    std::unique_ptr<chooser> (*make)(const machine& hardware);
};

/// `auto_tune`, `earliest_finish`, oneDPL's auto-tuning and StarPU's dmda, in this order.
[[nodiscard]] const std::vector<rule>& all_rules();

}  // namespace bench::choice
