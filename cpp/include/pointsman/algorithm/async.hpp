// SPDX-License-Identifier: Apache-2.0
// Algorithms on buffers that return when their commands are enqueued.
#pragma once

#ifndef POINTSMAN_WITHOUT_OPENCL

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/opencl/generated_values.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/opencl/reduction.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_exclusive_scan.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/execution/device_policy.hpp"
#include "pointsman/resource/opencl/event.hpp"
#include "pointsman/resource/opencl/queue.hpp"
#include "pointsman/submission/completion.hpp"

namespace pointsman {

/// A value that a device computes: a waitable that a policy may watch, as it watches an `opencl::event`.
/// Copies refer to the same value. Dropping the last one waits for the device.
/// **Thread safety**: any member except assignment may be called from any thread.
/// **Example**: `auto sum = pointsman::reduce_async(policy, begin(x), end(x), 0.0f); work(); use(sum.get());`
template <class T>
class async_value {
  public:
    /// The value of `started`, a `started_reduction`.
    template <class Started>
    explicit async_value(std::shared_ptr<const Started> started)
        : done_{started->done},
          result_{[](const void* of) { return static_cast<const Started*>(of)->result(); }},
          started_{std::move(started)} {}

    /// Blocks until the device has finished.
    /// **Throws**: `opencl::error` if it failed.
    void wait() const { done_.wait(); }
    /// Waits, and returns the value. **Throws**: like `wait`.
    [[nodiscard]] T get() const {
        wait();
        return result_(started_.get());
    }
    /// As for `opencl::event`.
    [[nodiscard]] bool is_ready() const noexcept { return done_.is_ready(); }
    void on_completion(completion_callback callback) const { done_.on_completion(callback); }
    [[nodiscard]] completion outcome() const noexcept { return done_.outcome(); }

  private:
    opencl::event done_;
    T (*result_)(const void* started);
    std::shared_ptr<const void> started_;
};

namespace detail {

template <class... Its>
[[nodiscard]] consteval bool all_stay_on_device(std::type_identity<std::tuple<Its...>>);

/// True for iterators whose values a device reads or writes without the host.
template <class It>
[[nodiscard]] consteval bool stays_on_device() {
    if constexpr (is_buffer_iterator<It>) {
        return true;
    } else if constexpr (requires(const It& it) {
                             it.values();
                             it.indices();
                         }) {
        using values = std::remove_cvref_t<decltype(std::declval<const It&>().values())>;
        using indices = std::remove_cvref_t<decltype(std::declval<const It&>().indices())>;
        return stays_on_device<values>() && stays_on_device<indices>();
    } else if constexpr (requires(const It& it) { it.base(); }) {
        using base = std::remove_cvref_t<decltype(std::declval<const It&>().base())>;
        if constexpr (requires { std::tuple_size<base>::value; }) {
            return all_stay_on_device(std::type_identity<base>{});
        } else {
            return stays_on_device<base>();
        }
    } else if constexpr (device_iterator<It>) {
        return requires { device_values<It>::is_generated; };
    } else {
        return !std::input_or_output_iterator<It>;
    }
}

template <class... Its>
consteval bool all_stay_on_device(std::type_identity<std::tuple<Its...>>) {
    return (stays_on_device<Its>() && ...);
}

/// Has commands enqueued later begin after `events`, also those of other queues of the context.
inline void begin_after(const opencl::queue& where,
                        std::initializer_list<const opencl::event*> events) {
    std::vector<cl::Event> awaited;
    for (const opencl::event* each : events) {
        if (each->handle()() != nullptr) {
            awaited.push_back(each->handle());
        }
    }
    if (!awaited.empty()) {
        where.handle().enqueueBarrierWithWaitList(&awaited);
    }
}

/// Calls `run(arguments...)` with those of `args` that precede the events at their end, for which later commands
/// on `where` wait.
template <class Run, class... Args>
auto run_after_events(const opencl::queue& where, const Run& run, const Args&... args) {
    constexpr std::size_t events = (std::size_t{std::same_as<Args, opencl::event>} + ... + 0);
    constexpr std::size_t others = sizeof...(Args) - events;
    const std::tuple<const Args&...> all{args...};
    opencl::detail::check_not_forked();
    return opencl::detail::translated([&] {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            begin_after(where, {&std::get<others + I>(all)...});
        }(std::make_index_sequence<events>{});
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            static_assert(
                (stays_on_device<std::remove_cvref_t<decltype(std::get<I>(all))>>() && ...),
                "the values of an asynchronous algorithm stay on the device: pass iterators of an "
                "opencl::buffer, or over values that the device computes");
            return run(std::get<I>(all)...);
        }(std::make_index_sequence<others>{});
    });
}

/// Calls the algorithm `Call` without waiting for its results. Returns the event of its end.
template <class Call, class... Args>
[[nodiscard]] opencl::event enqueue_call(const execution::device_policy<>& policy,
                                         const Args&... args) {
    const opencl::queue where = policy.queue();
    run_after_events(
        where,
        [&](const auto&... arguments) {
            const unawaited_scope scope;
            Call{}(policy, arguments...);
        },
        args...);
    return where.mark();
}

/// Starts a reduction with the arguments that `reduce` takes after the policy.
struct reduction_start {
    const opencl::queue& where;

    template <class It, device_value T, device_function F = plus>
    [[nodiscard]] auto operator()(It first, It last, T initial, F = {}) const {
        return async_value<T>{start_reduction<F, identity_value>(
            where, static_cast<std::size_t>(last - first), initial, first)};
    }
};

/// Starts a reduction with the arguments that `transform_reduce` takes after the policy.
struct transform_reduction_start {
    const opencl::queue& where;

    template <class It, device_value T, device_function F, device_function G>
    [[nodiscard]] auto operator()(It first, It last, T initial, F, G) const {
        return async_value<T>{
            start_reduction<F, G>(where, static_cast<std::size_t>(last - first), initial, first)};
    }
    template <class It, device_iterator It2, device_value T, device_function F = plus,
              device_function G = multiplies>
    [[nodiscard]] auto operator()(It first, It last, It2 second, T initial, F = {}, G = {}) const {
        return async_value<T>{start_reduction<F, G>(where, static_cast<std::size_t>(last - first),
                                                    initial, first, second)};
    }
};

}  // namespace detail

#define POINTSMAN_STARTS(name_)                                                       \
    template <execution::on_device P, class... Args>                                  \
    [[nodiscard]] opencl::event name_##_async(const P& policy, const Args&... args) { \
        return detail::enqueue_call<detail::name_##_call>(policy, args...);           \
    }                                                                                 \
    static_assert(true)

/// `copy_async(policy, first, last, out)` and so on take the arguments of the algorithm and then any number of
/// `opencl::event`s, of any queue of the same context, after whose commands the device begins. The values are in
/// buffers, or the device computes them. Returns when the commands are enqueued, with a waitable that a policy may
/// watch; queues in order need no events for what was enqueued on them.
/// **Throws**: what the algorithm throws before the device begins. A later failure is one of the event, if the
/// driver passes it on.
/// **Example**: `policy.submit([=](queue q) { return transform_async(device_policy{q}, begin(x), end(x), begin(y), f); });`
/// Source: *Asynchronous API* of oneDPL.
POINTSMAN_STARTS(copy);
/// `fill` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(fill);
/// `for_each` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(for_each);
/// `transform` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(transform);
/// `inclusive_scan` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(inclusive_scan);
/// `exclusive_scan` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(exclusive_scan);
/// `transform_inclusive_scan` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(transform_inclusive_scan);
/// `transform_exclusive_scan` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(transform_exclusive_scan);
/// `sort` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(sort);
/// `stable_sort` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(stable_sort);
/// `sort_by_key` without waiting, as `copy_async` describes.
POINTSMAN_STARTS(sort_by_key);

#undef POINTSMAN_STARTS

/// `reduce` without waiting, as `copy_async` describes; returns an `async_value`.
template <execution::on_device P, class... Args>
[[nodiscard]] auto reduce_async(const P& policy, const Args&... args) {
    const opencl::queue where = policy.queue();
    return detail::run_after_events(where, detail::reduction_start{where}, args...);
}
/// `transform_reduce` without waiting, as `copy_async` describes; returns an `async_value`.
template <execution::on_device P, class... Args>
[[nodiscard]] auto transform_reduce_async(const P& policy, const Args&... args) {
    const opencl::queue where = policy.queue();
    return detail::run_after_events(where, detail::transform_reduction_start{where}, args...);
}

}  // namespace pointsman

#endif
