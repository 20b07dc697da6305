// SPDX-License-Identifier: Apache-2.0
// Collects the medians of all runs and prints pointsman's beside oneDPL's.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace bench {

/// A reporter that prints Markdown tables at the end instead of a line per run.
class ratio_table : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;
    void Finalize() override;

    /// The names of pointsman's runs that allocated memory.
    [[nodiscard]] const std::vector<std::string>& allocating() const { return allocating_; }

  private:
    struct row {
        std::string name;
        std::int64_t resources;  // 0 in rows that measure a floor
        std::int64_t threads;
        std::map<std::string, double> time;  // by backend, in nanoseconds
        double allocations = 0;              // pointsman's
    };

    row& row_of(const Run& run, const std::string& name);
    [[nodiscard]] std::vector<row> in_order() const;
    void print_floors(const std::vector<row>& rows);
    void print_submits(const std::vector<row>& rows);

    std::map<std::tuple<std::string, std::int64_t, std::int64_t>, row> rows_;
    std::map<std::string, std::int64_t> positions_;  // of the names, in program order
    std::int64_t repetitions_ = 0;
    bool disturbed_ = false;
    std::vector<std::string> allocating_;
};

}  // namespace bench
