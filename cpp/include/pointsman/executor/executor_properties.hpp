// SPDX-License-Identifier: Apache-2.0
// Implements the properties that the template arguments of an executor select.
#pragma once

#include <concepts>

#include "pointsman/property/allocator.hpp"
#include "pointsman/property/blocking.hpp"
#include "pointsman/property/mapping.hpp"

namespace pointsman {

/// Base of an executor `Executor<Blocking, ProtoAllocator>`: answers and requirements of the properties
/// `blocking` and `allocator`, which are its arguments. `Allowed` are the values of `blocking` that it
/// supports. The executor has a member
/// `template <class B, class A> Executor<B, A> rebind(const A&) const`.
///
/// What can be required of each executor; its answer is one of these, for `blocking` initially the
/// first.
///
/// | executor    | blocking                | allocator | outstanding_work   | mapping | occupancy           |
/// | inline      | always                  | any       | untracked          | thread  | 1                   |
/// | unsequenced | always                  | any       | untracked          | other   | lanes of a float    |
/// | openmp      | always                  | any       | untracked          | thread  | its threads         |
/// | arena       | always, never, possibly | any       | untracked, tracked | thread  | the arena's threads |
/// | opencl      | always, never, possibly | any       | untracked, tracked | other   | compute units       |
/// | nested      | always, never, possibly | any       | untracked, tracked | thread  | the arena's threads |
///
/// A class derived from an executor keeps what it overrides and adds: a requirement that would return
/// another object, without these, is refused, and a preference leaves the object unchanged, unless the
/// derived executor has a `require(property)` that returns its own type. If it has state, it defines
/// its own comparison too.
///
/// `nested` supports what its outer executor supports, here an arena. Under `possibly`, which leaves
/// the choice open, `arena` and `opencl` behave as under `never`: the work starts elsewhere, and the
/// caller continues with a handle and never waits. `arena` allocates the memory of the work it keeps
/// from its allocator; the others keep no work, and an allocator only to answer queries. The `wait()`
/// of an arena or a queue does not return while a tracked executor of it exists; if all work is
/// complete at return, there is nothing to track. A user-defined property has its default on all of
/// them. Occupancy can only be queried.
template <template <class, class> class Executor, class Blocking, class ProtoAllocator,
          class... Allowed>
class executor_properties {
    static_assert((std::same_as<Blocking, Allowed> || ...),
                  "this executor runs its work on the thread that calls it, so it always blocks: "
                  "let its Blocking be blocking_t::always_t, or take an arena_executor");

  public:
    /// The executor type itself, without classes derived from it.
    using provided_type = Executor<Blocking, ProtoAllocator>;

    constexpr executor_properties() = default;
    explicit constexpr executor_properties(const ProtoAllocator& allocator_) : proto_{allocator_} {}

    [[nodiscard]] static constexpr Blocking query(const blocking_t&) noexcept { return {}; }
    [[nodiscard]] constexpr ProtoAllocator query(const allocator_t<>&) const { return proto_; }

    template <class Value>
        requires(std::same_as<Value, Allowed> || ...)
    [[nodiscard]] constexpr auto require(const Value&) const {
        return self().template rebind<Value>(proto_);
    }
    template <class Other>
    [[nodiscard]] constexpr auto require(const allocator_t<Other>& wanted) const {
        return self().template rebind<Blocking>(wanted.value());
    }

    friend bool operator==(const executor_properties&, const executor_properties&) = default;

  protected:
    [[nodiscard]] constexpr const ProtoAllocator& proto_allocator() const noexcept {
        return proto_;
    }

  private:
    [[nodiscard]] constexpr const auto& self() const noexcept {
        return static_cast<const Executor<Blocking, ProtoAllocator>&>(*this);
    }

    [[no_unique_address]] ProtoAllocator proto_{};
};

}  // namespace pointsman
