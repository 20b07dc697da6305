// SPDX-License-Identifier: Apache-2.0
// A task that tells how it ended, and may refuse resources that are not healthy.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <exception>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/written_time.hpp"
#include "pointsman/error.hpp"
#include "pointsman/recovery/detail/health_table.hpp"
#include "pointsman/recovery/detail/observed_work.hpp"
#include "pointsman/recovery/detail/resource_places.hpp"
#include "pointsman/resource/printed_resource.hpp"
#include "pointsman/submission/stop_token_call.hpp"
#include "pointsman/submission/waitable.hpp"
#include "pointsman/tuning/forwarded_task.hpp"

namespace pointsman::detail {

/// Returns the printed form of a resource, or else its number.
template <class Resource>
[[nodiscard]] std::string text_of_resource(const Resource& resource, std::size_t index) {
    std::string text = printed_resource(resource);
    return text.empty() ? "resource " + std::to_string(index + 1) : text;
}

/// Tells the health table how a single run ended.
template <class Resource>
class health_observer final : public work_observer {
  public:
    health_observer(ref<health_table<Resource>> health, Resource resource)
        : health_{std::move(health)}, resource_{std::move(resource)} {}

    void succeeded() noexcept override { health_->succeeded(resource_); }
    void failed(const std::exception_ptr& error) noexcept override {
        health_->failed(resource_, error);
    }

  private:
    ref<health_table<Resource>> health_;
    Resource resource_;
};

/// The inputs and outputs of a guarded task besides its arguments: an object of the function that submits it.
template <class Resource>
struct guard_record {
    const std::stop_token* stop = nullptr;  ///< needed only for a function that takes one
    std::span<const Resource> tried{};      ///< where the task must not run
    const resource_places<Resource>* places =
        nullptr;                                   ///< if the number on each resource is bounded
    const ref<work_observer>* observer = nullptr;  ///< of the work that the function returns
    waitable_rung rung = waitable_rung::complete_at_return;  ///< of that work
};

/// A task that tells how it ended. It is submitted while all resources are open, so that it cannot be a probe.
template <class F, class Resource>
class observed_task : public forwarded_task<F> {
  public:
    using table = health_table<Resource>;

    observed_task(F& f, table& health, const std::stop_token* stop) noexcept
        : forwarded_task<F>{f}, health_{&health}, stop_{stop} {}

    template <class... Args>
        requires called_with_stop<F&, const Resource&, Args...>
    [[gnu::always_inline]] decltype(auto) operator()(const Resource& resource,
                                                     Args&&... args) const {
        return observe(nullptr, resource, std::forward<Args>(args)...);
    }

  protected:
    /// Calls the function and tells `record`, if there is one, about the work that it returned.
    template <class... Args>
    [[gnu::always_inline]] decltype(auto) observe(guard_record<Resource>* record,
                                                  const Resource& resource, Args&&... args) const {
        try {
            return watched(
                [&]() -> decltype(auto) {
                    return call_with_stop(this->get(), stop_, resource,
                                          std::forward<Args>(args)...);
                },
                record, resource);
        } catch (...) {
            health_->failed(resource, std::current_exception());
            throw;
        }
    }
    [[nodiscard]] table& health() const noexcept { return *health_; }

  private:
    template <class Call>
    [[gnu::always_inline]] decltype(auto) watched(Call call, guard_record<Resource>* record,
                                                  const Resource& resource) const {
        using result = std::invoke_result_t<Call&>;
        if constexpr (waitable<result>) {
            observed_work<result> work{call()};
            const waitable_rung rung = rung_of(work.work);
            if (record != nullptr) {
                record->rung = rung;
            }
            if (rung == waitable_rung::complete_at_return) {
                health_->succeeded(resource);
            } else if (record != nullptr && record->observer != nullptr) {
                work.observer = *record->observer;
            } else {
                work.observer =
                    make_ref<health_observer<Resource>>(ref<table>::share(health_), resource);
            }
            return work;
        } else if constexpr (std::is_void_v<result>) {
            call();
            health_->succeeded(resource);
        } else {
            result value = call();
            health_->succeeded(resource);
            return value;
        }
    }

    table* health_;
    const std::stop_token* stop_;
};

/// A task that tells how it ended, and refuses resources in quarantine and those on which it has been tried.
template <class F, class Resource>
class guarded_task : public observed_task<F, Resource> {
  public:
    guarded_task(F& f, health_table<Resource>& health, guard_record<Resource>& record) noexcept
        : observed_task<F, Resource>{f, health, record.stop}, record_{&record} {}

    template <class... Args>
        requires called_with_stop<F&, const Resource&, Args...>
    decltype(auto) operator()(const Resource& resource, Args&&... args) const {
        this->health().begin(resource);
        return this->observe(record_, resource, std::forward<Args>(args)...);
    }

    [[nodiscard, gnu::always_inline]] bool accepts(const Resource& resource) const {
        if constexpr (requires { forwarded_task<F>::accepts(resource); }) {
            if (!forwarded_task<F>::accepts(resource)) {
                return false;
            }
        }
        return this->health().admits(resource) && (record_->tried.empty() || !is_tried(resource)) &&
               has_room(resource);
    }

    [[nodiscard]] std::string refusal(const Resource& resource) const {
        if constexpr (requires { forwarded_task<F>::refusal(resource); }) {
            if (!forwarded_task<F>::accepts(resource)) {
                return forwarded_task<F>::refusal(resource);
            }
        }
        return state_of(resource, 0);
    }

    /// **Throws**: what the task itself throws if it accepts none of `resources`, else `no_free_place` if one of
    /// them is only full, else `no_healthy_resource`.
    void refuse(std::span<const Resource> resources) const {
        std::string failures;
        for (std::size_t i = 0; i < resources.size(); ++i) {
            if constexpr (requires { forwarded_task<F>::accepts(resources[i]); }) {
                if (!forwarded_task<F>::accepts(resources[i])) {
                    continue;
                }
            }
            if (record_->places != nullptr && !is_tried(resources[i]) &&
                this->health().admits(resources[i])) {
                throw no_free_place{};  // even if it has a free place by now
            }
            failures += state_of(resources[i], i) + '\n';
        }
        if (!failures.empty()) {
            throw no_healthy_resource{failures};
        }
        if constexpr (requires { forwarded_task<F>::refuse(resources); }) {
            forwarded_task<F>::refuse(resources);
        }
    }

  private:
    [[nodiscard]] bool is_tried(const Resource& resource) const {
        return std::ranges::find(record_->tried, resource) != record_->tried.end();
    }

    [[nodiscard]] bool has_room(const Resource& resource) const {
        return record_->places == nullptr || record_->places->has_room(resource);
    }

    /// "b: the last error; quarantined, tried again in 90 ms".
    [[nodiscard]] std::string state_of(const Resource& resource, std::size_t index) const {
        const std::string name = text_of_resource(resource, index);
        if (is_tried(resource)) {
            return name + ": the work has failed there";
        }
        const health_report report = this->health().report(resource);
        return name + ": " + report.last_error + "; " +
               (report.lost.empty() ? "" : report.lost + "; ") + to_string(report.state) +
               (report.state == health_state::quarantined
                    ? ", tried again in " +
                          written_time(static_cast<double>(report.until_probe.count()))
                    : "");
    }

    guard_record<Resource>* record_;
};

}  // namespace pointsman::detail
