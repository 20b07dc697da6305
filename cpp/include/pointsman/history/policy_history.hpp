// SPDX-License-Identifier: Apache-2.0
// Lets a policy that measures begin with what the history knows, and writes back what it has learnt since.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/history/history.hpp"
#include "pointsman/tuning/device_speed.hpp"
#include "pointsman/tuning/evidence.hpp"
#include "pointsman/tuning/model_record.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// Joins `policy`, an `auto_tune_policy`, an `earliest_finish_policy` or a `cost_model`, with a history: the
/// constructor hands it what is known of its resources, so that the first task already runs where it is fastest.
/// `flush` adds to the file what was learnt since, or replaces it where a change was found. Kinds that are pinned in
/// the file to a resource of the policy stay there. Both objects must live
/// as long. Only what has a key of `stable_task_key` is kept. If the policy has `name_of(task_key)`, which returns a
/// text, the file keeps these names for people.
/// **Thread safety**: none; submissions to the policy may go on meanwhile.
/// **Cost**: nothing for a submission. `flush` writes to the disk, once for all records.
/// **Example**: `policy_history kept{policy, file, {"NVIDIA H100, driver 550.54, 132 units", "32 cores"}};`
template <class Policy>
class policy_history {
  public:
    /// `identities` has for each resource of the policy what identifies it in every process, and changes when
    /// its times do: the device, its driver's version, its number of units or threads.
    /// **Throws**: `invalid_option` for an empty identity, or one that two resources share; as `history`.
    policy_history(Policy& policy, history& file, std::vector<std::string> identities)
        : policy_{policy}, file_{file}, identities_{std::move(identities)} {
        std::unordered_set<std::string_view> all;
        for (std::size_t i = 0; i < identities_.size(); ++i) {
            if (identities_[i].empty() || !all.insert(identities_[i]).second) {
                throw invalid_option{"the identity \"" + identities_[i] + "\" of resource " +
                                     std::to_string(i) +
                                     " is empty or that of another resource: number resources that "
                                     "are alike"};
            }
        }
        policy_.take(file_.records_of(identities_));
        policy_.expect(speeds());
        policy_.pin(pins());
        remember(policy_.records());
    }
    policy_history(const policy_history&) = delete;
    policy_history& operator=(const policy_history&) = delete;

    /// Writes what was learnt since the last flush, and follows the pins in the file; `now` is the time of the
    /// update.
    /// **Throws**: as `history`; the next flush then writes it. `invalid_option` if the policy has more
    /// resources than were identified.
    void flush(std::chrono::sys_seconds now) {
        std::vector<history_record> added;
        std::vector<history_record> changed;
        std::vector<model_record> records = policy_.records();
        std::erase_if(records, [](const model_record& each) { return !each.kind.is_stable(); });
        for (const model_record& each : records) {
            if (each.resource >= identities_.size()) {
                throw invalid_option{"resource " + std::to_string(each.resource) +
                                     " has none of the " + std::to_string(identities_.size()) +
                                     " identities: pass one for each resource of the policy"};
            }
            const auto before = flushed_.find({each.kind, each.resource});
            const bool is_new = before == flushed_.end();
            const auto more = is_new ? std::optional{each.timings}
                              : before->second.is_exact == each.is_exact
                                  ? added_since(before->second.timings, each.timings)
                                  : std::nullopt;
            if (!more || more->count > 0) {
                (more ? added : changed)
                    .push_back({each.kind,
                                identities_[each.resource],
                                more.value_or(each.timings),
                                each.is_exact,
                                {},
                                name_of(each.kind)});
            }
        }
        if (!added.empty() || !changed.empty()) {
            file_.write(added, changed, now);
            remember(records);
        }
        policy_.pin(pins());
    }

  private:
    [[nodiscard]] std::vector<model_speed> speeds() const {
        std::vector<model_speed> found;
        for (std::size_t i = 0; i < identities_.size(); ++i) {
            if (const auto speed = file_.speed_of(identities_[i])) {
                found.push_back({i, *speed});
            }
        }
        return found;
    }
    /// The pins to resources of the policy.
    [[nodiscard]] std::vector<model_pin> pins() const {
        std::vector<model_pin> found;
        for (const history_pin& each : file_.pins()) {
            const auto at = std::ranges::find(identities_, each.resource);
            if (at != identities_.end()) {
                found.push_back({each.kind, static_cast<std::size_t>(at - identities_.begin())});
            }
        }
        return found;
    }
    [[nodiscard]] std::string name_of(const task_key& kind) const {
        if constexpr (requires {
                          { policy_.name_of(kind) } -> std::convertible_to<std::string>;
                      }) {
            return policy_.name_of(kind);
        } else {
            return {};
        }
    }
    struct place {
        task_key kind;
        std::size_t resource;

        friend bool operator==(const place&, const place&) = default;
    };
    struct place_hash {
        [[nodiscard]] std::size_t operator()(const place& of) const noexcept {
            return task_key_hash{}(of.kind) + of.resource * 0x9e3779b97f4a7c15ULL;
        }
    };

    void remember(const std::vector<model_record>& records) {
        flushed_.reserve(records.size());
        for (const model_record& each : records) {
            flushed_.insert_or_assign({each.kind, each.resource}, each);
        }
    }

    Policy& policy_;
    history& file_;
    std::vector<std::string> identities_;
    std::unordered_map<place, model_record, place_hash> flushed_;
};

}  // namespace pointsman
