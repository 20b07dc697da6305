// SPDX-License-Identifier: Apache-2.0
// The policies among which an auto_policy chooses for calls of one reach, and what it has learnt of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/execution/auto_reach.hpp"
#include "pointsman/execution/detail/candidate_policy.hpp"
#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/tuning/learning_settings.hpp"
#include "pointsman/tuning/task_key.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/default_queues.hpp"
#endif

namespace pointsman::execution::detail {

/// Represents a call of an algorithm as a task, in the interface of the rule.
struct auto_task {
    pointsman::task_key key;
    [[nodiscard]] pointsman::task_key task_key() const noexcept { return key; }
};

/// Candidates, host policies first, and the rule that chooses among them.
class candidate_set {
  public:
    using tuning_state = auto_tune_rule<>;
    using choice = tuning_state::choice;

    explicit candidate_set(std::vector<candidate_policy> candidates)
        : candidates_{std::move(candidates)}, tuning_{candidates_.size(), settings()} {}

    [[nodiscard]] const std::vector<candidate_policy>& candidates() const noexcept {
        return candidates_;
    }
    [[nodiscard]] tuning_state& tuning() noexcept { return tuning_; }

  private:
    static learning_settings settings() noexcept {
        learning_settings chosen;
        chosen.runs_in_a_row = 4;  // the first wakes threads up and is left out
        chosen.always_timed = std::chrono::microseconds{100};  // timing slows shorter calls down
        return chosen;
    }

    std::vector<candidate_policy> candidates_;
    tuning_state tuning_;
};

/// State shared by the copies of an auto_policy. Candidate sets are made when first needed, so that a
/// program that stays on the host opens no driver.
class auto_state {
  public:
    using clock_function = clock::time_point (*)();

    /// **Throws**: `empty_resource_set`; `invalid_option` for more than `most` candidates.
    auto_state(const std::vector<candidate_policy>& candidates, std::size_t most,
               clock_function clock_now)
        : now_{clock_now} {
        if (candidates.empty()) {
            throw empty_resource_set{};
        }
        if (candidates.size() > most) {
            throw invalid_option{"an auto_policy was given " + std::to_string(candidates.size()) +
                                 " candidates: pass at most " + std::to_string(most) +
                                 ", since each is tried with every algorithm, type and size"};
        }
        for (const candidate_policy& each : candidates) {
            (is_on_host(each) ? on_host_ : on_device_).push_back(each);
        }
    }
    /// The host policies and one for each device; devices are discovered when first needed.
    explicit auto_state(std::size_t most)
        : now_{&clock::now}, on_host_{seq, unseq, par, par_unseq}, room_to_find_{most - 4} {}

    /// For calls without values on a device.
    /// **Throws**: `unsuitable_resources` if no candidate can run such a call.
    [[nodiscard]] candidate_set& set(auto_reach reach) {
        auto* const made = made_[index_of(reach)].load(std::memory_order_acquire);
        return made != nullptr ? *made : make(reach);
    }
#ifndef POINTSMAN_WITHOUT_OPENCL
    /// For calls that only devices can run: those of `context`, or all if it is null.
    /// **Throws**: `unsuitable_resources` if there are none.
    [[nodiscard]] candidate_set& set_in(cl_context context) {
        auto* const last = last_in_context_.load(std::memory_order_acquire);
        return last != nullptr && last->context == context ? last->candidates : make_in(context);
    }
#endif
    [[nodiscard]] clock::time_point now() const { return now_(); }
    /// Unique in the process, including states that were destroyed.
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  private:
    static inline std::atomic<std::uint64_t> made_states_{0};

    static std::size_t index_of(auto_reach reach) noexcept {
        return reach == auto_reach::host ? 0 : 1;
    }

    [[nodiscard]] candidate_set& make(auto_reach reach) {
        std::lock_guard lock{mutex_};
        auto& set = sets_[index_of(reach)];
        if (!set) {
            find_devices(reach);
            set = std::make_unique<candidate_set>(candidates_for(reach));
            made_[index_of(reach)].store(set.get(), std::memory_order_release);
        }
        return *set;
    }

    [[nodiscard]] std::vector<candidate_policy> candidates_for(auto_reach reach) const {
        std::vector<candidate_policy> all = on_host_;
        if (reach == auto_reach::anywhere) {
            all.insert(all.end(), on_device_.begin(), on_device_.end());
        }
        if (all.empty()) {
            throw unsuitable_resources{
                "this call can only run on the host, and the auto_policy has only devices: add seq "
                "or par to its candidates, or pass a device_function and values of types that "
                "devices support"};
        }
        return all;
    }

#ifndef POINTSMAN_WITHOUT_OPENCL
    struct set_of_context {
        set_of_context(cl_context of, std::vector<candidate_policy> able)
            : context{of}, candidates{std::move(able)} {}

        cl_context context;
        candidate_set candidates;
    };

    [[nodiscard]] candidate_set& make_in(cl_context context) {
        const std::lock_guard lock{mutex_};
        find_devices(auto_reach::device);
        auto known = std::ranges::find(in_contexts_, context, &set_of_context::context);
        if (known == in_contexts_.end()) {
            std::vector<candidate_policy> able;
            std::ranges::copy_if(on_device_, std::back_inserter(able), [&](const auto& each) {
                return context == nullptr ||
                       std::get<device_policy<>>(each).queue().context()() == context;
            });
            if (able.empty()) {
                throw unsuitable_resources{
                    on_device_.empty()
                        ? "this call can only run on a device, and the auto_policy has none: add a "
                          "device_policy, of the values' queue if they are in a buffer, to its "
                          "candidates"
                        : "the values are in a context that no device of the auto_policy has: add "
                          "a device_policy of their queue to its candidates"};
            }
            known = in_contexts_.emplace(in_contexts_.end(), context, std::move(able));
        }
        last_in_context_.store(&*known, std::memory_order_release);
        return known->candidates;
    }
#endif

    void find_devices([[maybe_unused]] auto_reach reach) {
#ifndef POINTSMAN_WITHOUT_OPENCL
        if (reach != auto_reach::host && room_to_find_ > 0) {
            for (opencl::queue& queue : default_universe<opencl::queue>::get()) {
                if (on_device_.size() < room_to_find_) {
                    on_device_.emplace_back(device_policy<>{std::move(queue)});
                }
            }
            room_to_find_ = 0;
        }
#endif
    }

    std::uint64_t number_ = ++made_states_;
    clock_function now_;
    std::mutex mutex_;
    std::vector<candidate_policy> on_host_;
    std::vector<candidate_policy> on_device_;
    [[maybe_unused]] std::size_t room_to_find_ = 0;  // devices
    std::array<std::unique_ptr<candidate_set>, 2> sets_;
    std::array<std::atomic<candidate_set*>, 2> made_{};
#ifndef POINTSMAN_WITHOUT_OPENCL
    std::list<set_of_context> in_contexts_;  // elements keep their addresses
    std::atomic<set_of_context*> last_in_context_ = nullptr;
#endif
};

}  // namespace pointsman::execution::detail
