// SPDX-License-Identifier: Apache-2.0
// Gives an iterator that computes its values the operators of a random access iterator.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace pointsman::detail {

/// What an iterator refers to; `void` if only a device can read it.
template <class It>
struct referred {
    using type = void;
};
template <class It>
    requires requires(const It& it) { *it; }
struct referred<It> {
    using type = decltype(*std::declval<const It&>());
};
template <class It>
using referred_t = typename referred<It>::type;

/// Base of random access iterators. `Derived` has `at(n)`, the value `n` places on, as a `Reference`;
/// `advance(n)`; and `places_after(other)`, the difference to another iterator of the same range.
template <class Derived, class Value, class Reference>
class iterator_facade {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using reference = Reference;
    using pointer = void;

    constexpr Reference operator*() const { return self().at(0); }
    constexpr Reference operator[](difference_type n) const { return self().at(n); }

    constexpr Derived& operator+=(difference_type n) {
        self().advance(n);
        return self();
    }
    constexpr Derived& operator-=(difference_type n) { return self() += -n; }
    constexpr Derived& operator++() { return self() += 1; }
    constexpr Derived& operator--() { return self() -= 1; }
    constexpr Derived operator++(int) {
        Derived before = self();
        self() += 1;
        return before;
    }
    constexpr Derived operator--(int) {
        Derived before = self();
        self() -= 1;
        return before;
    }

    friend constexpr Derived operator+(Derived it, difference_type n) { return it += n; }
    friend constexpr Derived operator+(difference_type n, Derived it) { return it += n; }
    friend constexpr Derived operator-(Derived it, difference_type n) { return it -= n; }
    friend constexpr difference_type operator-(const Derived& a, const Derived& b) {
        return difference(a, b);
    }
    friend constexpr bool operator==(const Derived& a, const Derived& b) {
        return difference(a, b) == 0;
    }
    friend constexpr std::strong_ordering operator<=>(const Derived& a, const Derived& b) {
        return difference(a, b) <=> 0;
    }

  private:
    friend Derived;
    iterator_facade() = default;

    // Members may call those of `Derived`, which befriends this class; functions that it befriends may not.
    static constexpr difference_type difference(const Derived& a, const Derived& b) {
        return a.places_after(b);
    }
    constexpr Derived& self() { return static_cast<Derived&>(*this); }
    constexpr const Derived& self() const { return static_cast<const Derived&>(*this); }
};

/// A function that can be assigned and made without arguments, as iterators must; a lambda with captures
/// cannot. One made without arguments must be assigned before it is called.
template <class F>
class assignable_function {
  public:
    assignable_function() = default;
    constexpr explicit assignable_function(F f) : f_{std::move(f)} {}
    constexpr assignable_function(const assignable_function&) = default;
    constexpr assignable_function& operator=(const assignable_function& other) {
        if (this != &other) {
            other.f_ ? static_cast<void>(f_.emplace(*other.f_)) : f_.reset();
        }
        return *this;
    }
    constexpr ~assignable_function() = default;

    [[nodiscard]] constexpr const F& get() const noexcept { return *f_; }

  private:
    std::optional<F> f_;
};
template <std::semiregular F>
class assignable_function<F> {
  public:
    assignable_function() = default;
    constexpr explicit assignable_function(F f) : f_{std::move(f)} {}

    [[nodiscard]] constexpr const F& get() const noexcept { return f_; }

  private:
    F f_{};
};

}  // namespace pointsman::detail
