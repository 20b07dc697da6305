// SPDX-License-Identifier: Apache-2.0
// The property allocator: where an executor allocates memory for submitted work.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "pointsman/property/property.hpp"

namespace pointsman {

/// The allocator that an executor uses. `query(e, allocator)` returns it; `require(e, allocator)` selects
/// `std::allocator<void>`, and `require(e, allocator(a))` selects `a`, of any value type.
/// **Example**: `auto pooled = require(executor, allocator(std::pmr::polymorphic_allocator<>{&pool}));`
/// Source: *Executor Properties* in the executor document.
template <class ProtoAllocator = void>
class allocator_t {
  public:
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;
    using property_type = allocator_t<void>;

    explicit constexpr allocator_t(const ProtoAllocator& proto) : proto_{proto} {}
    [[nodiscard]] constexpr ProtoAllocator value() const { return proto_; }
    friend bool operator==(const allocator_t&, const allocator_t&) = default;

  private:
    [[no_unique_address]] ProtoAllocator proto_;
};

template <>
class allocator_t<void> {
  public:
    static constexpr bool is_requirable = true;
    static constexpr bool is_preferable = true;

    template <class ProtoAllocator>
    [[nodiscard]] constexpr allocator_t<ProtoAllocator> operator()(
        const ProtoAllocator& proto) const {
        return allocator_t<ProtoAllocator>{proto};
    }
    [[nodiscard]] static constexpr std::allocator<void> value() noexcept { return {}; }
    [[nodiscard]] static constexpr std::allocator<void> default_value() noexcept { return {}; }
    friend bool operator==(const allocator_t&, const allocator_t&) = default;
};

inline constexpr allocator_t<> allocator{};

static_assert(property<allocator_t<>> && property<allocator_t<std::allocator<int>>>);

}  // namespace pointsman
