// SPDX-License-Identifier: Apache-2.0
// A callable inside another one that changes how it is called, but not what it is to a policy.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "pointsman/trace/names.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// Base of a callable that wraps another one: the wrapper has the identity, the names, the transfers and the
/// refusals of the inner callable, to which it refers, so that a policy takes both for the same task. The
/// derived class adds the call.
template <class F>
class forwarded_task : public detail::forwarded_task_base {
  public:
    using type = F;

    explicit forwarded_task(F& f) noexcept : f_{&f} {}

    [[nodiscard]] F& get() const noexcept { return *f_; }

    [[nodiscard]] auto task_key() const
        requires requires(const F& f) {
            { f.task_key() } -> std::convertible_to<pointsman::task_key>;
        }
    {
        return std::as_const(*f_).task_key();
    }
    [[nodiscard]] std::string_view task_name() const
        requires requires(const F& f) {
            { f.task_name() } -> std::convertible_to<std::string_view>;
        }
    {
        return std::as_const(*f_).task_name();
    }
    /// The number of the name of the inner callable in traces.
    [[nodiscard]] std::uint32_t trace_name() const { return trace::number_of_callable(*f_); }
    [[nodiscard]] std::span<const double> transfers() const
        requires requires(const F& f) { std::span<const double>{f.transfers()}; }
    {
        return std::as_const(*f_).transfers();
    }
    template <class Resources>
    void look_for_transfers(const Resources& resources) const
        requires requires(const F& f) { f.look_for_transfers(resources); }
    {
        std::as_const(*f_).look_for_transfers(resources);
    }
    template <class Resource>
    [[nodiscard]] bool accepts(const Resource& resource) const
        requires requires(const F& f) { f.accepts(resource); }
    {
        return std::as_const(*f_).accepts(resource);
    }
    template <class Resource>
    [[nodiscard]] std::string refusal(const Resource& resource) const
        requires requires(const F& f) { f.refusal(resource); }
    {
        return std::as_const(*f_).refusal(resource);
    }
    template <class Resource>
    void refuse(std::span<const Resource> resources) const
        requires requires(const F& f) { f.refuse(resources); }
    {
        std::as_const(*f_).refuse(resources);
    }

  private:
    F* f_;
};

}  // namespace pointsman
