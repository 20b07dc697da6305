// SPDX-License-Identifier: Apache-2.0
// Base class of executors: implements the properties that are their template arguments.
#pragma once

#include <concepts>

#include "pointsman/property/allocator.hpp"
#include "pointsman/property/blocking.hpp"
#include "pointsman/property/mapping.hpp"

namespace pointsman {

/// Base of an executor `Executor<Blocking, ProtoAllocator>`: implements `query` and `require` for the
/// properties `blocking` and `allocator`, which are its template arguments. `Allowed` lists the values of
/// `blocking` that it supports. The executor must have a member
/// `template <class B, class A> Executor<B, A> rebind(const A&) const`.
///
/// The values of each property that an executor may have and that can be required of it; the first value
/// of `blocking` is the default. Occupancy can only be queried.
///
/// | executor    | blocking                | allocator | outstanding_work   | mapping | occupancy           |
/// |-------------|-------------------------|-----------|--------------------|---------|---------------------|
/// | inline      | always                  | any       | untracked          | thread  | 1                   |
/// | unsequenced | always                  | any       | untracked          | other   | lanes of a float    |
/// | openmp      | always                  | any       | untracked          | thread  | its threads         |
/// | arena       | always, never, possibly | any       | untracked, tracked | thread  | the arena's threads |
/// | opencl      | always, never, possibly | any       | untracked, tracked | other   | compute units       |
/// | nested      | always, never, possibly | any       | untracked, tracked | thread  | the arena's threads |
///
/// The inherited `require` of a class derived from an executor would return an object of the base class,
/// without the members of the derived class. Such a call does not compile, and `prefer` returns the
/// object unchanged, unless the derived class has a `require(property)` that returns its own type. A
/// derived class with state must also define its own comparison.
///
/// `nested` has the properties of its outer executor, here an arena. Under `possibly`, `arena` and
/// `opencl` behave as under `never`: the call starts the work and returns a handle without waiting.
/// `arena` allocates its tasks from its allocator; the other executors keep an allocator only to answer
/// queries. The `wait()` of an arena or a queue does not return while one of its tracked executors
/// exists. Executors that always block have nothing to track. A user-defined property has its default
/// value on all executors.
template <template <class, class> class Executor, class Blocking, class ProtoAllocator,
          class... Allowed>
class executor_properties {
    static_assert((std::same_as<Blocking, Allowed> || ...),
                  "this executor runs its work on the thread that calls it, so it always blocks: "
                  "use blocking_t::always_t as its Blocking, or use an arena_executor");

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
