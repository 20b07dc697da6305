// SPDX-License-Identifier: Apache-2.0
// One place of a resource, for as long as an attempt uses it.
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace pointsman::detail {

/// A place taken by `Places::try_take(resource)`; given back by `give_back`, or when this is destroyed. Empty if
/// none was free.
template <class Places, class Resource>
class place_on_resource {
  public:
    place_on_resource() = default;
    place_on_resource(const std::shared_ptr<Places>& from, const Resource& resource)
        : resource_{resource} {
        if (from->try_take(resource)) {
            from_ = from;
        }
    }
    place_on_resource(place_on_resource&&) noexcept = default;
    place_on_resource& operator=(place_on_resource&&) = delete;
    ~place_on_resource() { give_back(); }

    [[nodiscard]] explicit operator bool() const noexcept { return from_ != nullptr; }
    /// Further calls have no effect.
    void give_back() noexcept {
        if (const auto from = std::exchange(from_, nullptr)) {
            from->give_back(*resource_);
        }
    }

  private:
    std::shared_ptr<Places> from_;
    std::optional<Resource> resource_;
};

}  // namespace pointsman::detail
