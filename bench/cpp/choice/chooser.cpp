// SPDX-License-Identifier: Apache-2.0
// Adapts the rules of pointsman's policies to the simulation, and implements those of oneDPL and StarPU.
#include "chooser.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "pointsman/clock.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "pointsman/policy/driven_rule.hpp"

namespace bench::choice {
namespace {

namespace pm = pointsman;

[[nodiscard]] pm::clock::duration duration_of(time_ns time) {
    return pm::clock::duration{static_cast<pm::clock::rep>(time)};
}

/// A rule of pointsman's, unchanged.
template <class Rule>
class own_rule final : public chooser {
  public:
    explicit own_rule(const machine& hardware)
        : domains_{pm::replay::domains_of(places_of(hardware))},
          rule_{std::make_unique<pm::driven_rule<Rule>>(domains_)} {}

    std::optional<std::size_t> choose(std::size_t number, const job& next, time_ns now) override {
        const auto chosen = rule_->choose(next.key, duration_of(now));
        if (!chosen) {
            return std::nullopt;
        }
        outstanding_.emplace(number, *chosen);
        return chosen->index;
    }
    void complete(std::size_t number, time_ns elapsed, time_ns now) override {
        rule_->complete(outstanding_.extract(number).mapped(), duration_of(elapsed),
                        duration_of(now));
    }
    void restart() override {
        const auto known = rule_->records();
        rule_ = std::make_unique<pm::driven_rule<Rule>>(domains_);
        rule_->take(known);
    }

  private:
    std::vector<pm::domain> domains_;
    std::unique_ptr<pm::driven_rule<Rule>> rule_;
    std::unordered_map<std::size_t, typename Rule::choice> outstanding_;
};

/// Times by kind and server.
template <class Entry>
using table = std::unordered_map<pm::task_key, std::vector<Entry>, pm::task_key_hash>;

/// The rule of oneDPL: each resource in turn until all are timed, then the resource with the shortest time.
class onedpl_rule final : public chooser {
  public:
    explicit onedpl_rule(const machine& hardware) : size_{hardware.servers.size()} {}

    std::optional<std::size_t> choose(std::size_t number, const job& next, time_ns) override {
        auto& kind = kinds_[next.key];
        kind.least.resize(size_, std::numeric_limits<time_ns>::infinity());
        std::size_t index = 0;
        if (kind.turn < 2 * size_) {  // the first run on each resource is warm-up
            index = kind.turn++ % size_;
        } else {
            index =
                static_cast<std::size_t>(std::ranges::min_element(kind.least) - kind.least.begin());
        }
        outstanding_[number] = {&kind, index, kind.turn <= size_};
        return index;
    }
    void complete(std::size_t number, time_ns elapsed, time_ns) override {
        const auto run = outstanding_.extract(number).mapped();
        if (!run.warms_up) {
            run.kind->least[run.index] = std::min(run.kind->least[run.index], elapsed);
        }
    }
    void restart() override { kinds_.clear(); }  // oneDPL keeps nothing

  private:
    struct kind_state {
        std::size_t turn = 0;
        std::vector<time_ns> least;
    };
    struct pending {
        kind_state* kind;
        std::size_t index;
        bool warms_up;
    };

    std::size_t size_;
    std::unordered_map<pm::task_key, kind_state, pm::task_key_hash> kinds_;
    std::unordered_map<std::size_t, pending> outstanding_;
};

/// StarPU's dmda: ten runs of each kind on each resource, then the earliest end as predicted by the means.
class dmda_rule final : public chooser {
  public:
    explicit dmda_rule(const machine& hardware) : ready_(hardware.servers.size()) {}

    std::optional<std::size_t> choose(std::size_t number, const job& next, time_ns) override {
        auto& kind = kinds_[next.key];
        kind.resize(ready_.size());
        const auto fewest = std::ranges::min_element(kind, {}, &entry::begun);
        std::size_t index = 0;
        if (fewest->begun < calibration_runs) {
            index = static_cast<std::size_t>(fewest - kind.begin());
        } else {
            time_ns earliest = std::numeric_limits<time_ns>::infinity();
            for (std::size_t i = 0; i < ready_.size(); ++i) {
                if (const auto end = ready_[i] + kind[i].mean(); end < earliest) {
                    earliest = end;
                    index = i;
                }
            }
        }
        ++kind[index].begun;
        const time_ns predicted = kind[index].mean();
        const time_ns behind = ready_[index];
        ready_[index] += predicted;
        outstanding_[number] = {&kind[index], index, predicted, behind};
        return index;
    }
    void complete(std::size_t number, time_ns elapsed, time_ns) override {
        const auto run = outstanding_.extract(number).mapped();
        ready_[run.index] -= run.predicted;
        // Workers time the task alone.
        run.of->add(std::max(elapsed - run.behind, elapsed * 0.01));
    }
    void restart() override {}  // StarPU keeps all models

  private:
    static constexpr std::size_t calibration_runs = 10;

    struct entry {
        std::size_t begun = 0;
        std::size_t finished = 0;
        time_ns sum = 0;
        [[nodiscard]] time_ns mean() const noexcept {
            return finished == 0 ? 0 : sum / static_cast<double>(finished);
        }
        void add(time_ns time) noexcept {
            sum += time;
            ++finished;
        }
    };
    struct pending {
        entry* of;
        std::size_t index;
        time_ns predicted;
        time_ns behind;
    };

    std::vector<time_ns> ready_;  // work that is outstanding, as predicted
    table<entry> kinds_;
    std::unordered_map<std::size_t, pending> outstanding_;
};

template <class Rule>
std::unique_ptr<chooser> make(const machine& hardware) {
    return std::make_unique<Rule>(hardware);
}

}  // namespace

const std::vector<rule>& all_rules() {
    static const std::vector<rule> rules{
        {"auto_tune", make<own_rule<pm::auto_tune_rule<>>>},
        {"earliest_finish", make<own_rule<pm::earliest_finish_rule>>},
        {"oneDPL", make<onedpl_rule>},
        {"dmda", make<dmda_rule>},
    };
    return rules;
}

}  // namespace bench::choice
