// SPDX-License-Identifier: Apache-2.0
// The loops of the commonest functions, for each type that they have one for.
#include "algorithm/native_loop.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>

#include "algorithm/wide_registers.hpp"

namespace pointsman::python {
namespace {

template <class T>
const T* operand_as(const char* operand) noexcept {
    return reinterpret_cast<const T*>(operand);
}

/// Comparisons that report no error for NaN: a tile would be computed again.
struct less {
    template <class T>
    bool operator()(T a, T b) const noexcept {
        if constexpr (std::is_floating_point_v<T>) {
            return __builtin_isless(a, b) != 0;
        } else {
            return a < b;
        }
    }
};
struct less_equal {
    template <class T>
    bool operator()(T a, T b) const noexcept {
        if constexpr (std::is_floating_point_v<T>) {
            return __builtin_islessequal(a, b) != 0;
        } else {
            return a <= b;
        }
    }
};
struct greater {
    template <class T>
    bool operator()(T a, T b) const noexcept {
        return less{}(b, a);
    }
};
struct greater_equal {
    template <class T>
    bool operator()(T a, T b) const noexcept {
        return less_equal{}(b, a);
    }
};

/// `Function` of one or two operands of type `T`.
template <class Function, class T>
struct applied {
    [[gnu::always_inline]] static void run(const char* const* operands, char* to,
                                           std::size_t count) noexcept {
        using result = typename std::conditional_t<std::is_invocable_v<Function, T>,
                                                   std::invoke_result<Function, T>,
                                                   std::invoke_result<Function, T, T>>::type;
        const T* const a = operand_as<T>(operands[0]);
        auto* __restrict out = reinterpret_cast<result*>(to);
        if constexpr (std::is_invocable_v<Function, T>) {
            for (std::size_t i = 0; i < count; ++i) {
                out[i] = Function{}(a[i]);
            }
        } else {
            const T* const b = operand_as<T>(operands[1]);
            for (std::size_t i = 0; i < count; ++i) {
                out[i] = Function{}(a[i], b[i]);
            }
        }
    }
};

/// `Function` of values and a constant, which is repeated in the second operand.
template <class Function, class T>
struct with_constant {
    [[gnu::always_inline]] static void run(const char* const* operands, char* to,
                                           std::size_t count) noexcept {
        const T* const values = operand_as<T>(operands[0]);
        const T constant = *operand_as<T>(operands[1]);
        auto* __restrict out = reinterpret_cast<T*>(to);
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = Function{}(values[i], constant);
        }
    }
};

/// `Outer(Inner(x, a), b)` of values and two constants, which are repeated in the other operands.
template <class Inner, class Outer, class T>
struct with_constants {
    [[gnu::always_inline]] static void run(const char* const* operands, char* to,
                                           std::size_t count) noexcept {
        const T* const values = operand_as<T>(operands[0]);
        const T first = *operand_as<T>(operands[1]), second = *operand_as<T>(operands[2]);
        auto* __restrict out = reinterpret_cast<T*>(to);
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = Outer{}(Inner{}(values[i], first), second);
        }
    }
};

/// `mask ? a : b`. Both are read in any case: a vector's load under a mask is slow.
template <class Bits>
struct selected {
    [[gnu::always_inline]] static void run(const char* const* operands, char* to,
                                           std::size_t count) noexcept {
        const auto* const mask = operand_as<std::uint8_t>(operands[0]);
        const Bits* const a = operand_as<Bits>(operands[1]);
        const Bits* const b = operand_as<Bits>(operands[2]);
        auto* __restrict out = reinterpret_cast<Bits*>(to);
        for (std::size_t i = 0; i < count; ++i) {
            const Bits chosen = -static_cast<Bits>(mask[i] != 0);
            out[i] = (a[i] & chosen) | (b[i] & ~chosen);
        }
    }
};

template <std::size_t Size>
using bits = std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>;

/// `x < y ? a : b` for the comparison `Function`.
template <class Function, class T>
struct compared {
    [[gnu::always_inline]] static void run(const char* const* operands, char* to,
                                           std::size_t count) noexcept {
        const T* const x = operand_as<T>(operands[0]);
        const T* const y = operand_as<T>(operands[1]);
        const auto* const a = operand_as<bits<sizeof(T)>>(operands[2]);
        const auto* const b = operand_as<bits<sizeof(T)>>(operands[3]);
        auto* __restrict out = reinterpret_cast<bits<sizeof(T)>*>(to);
        for (std::size_t i = 0; i < count; ++i) {
            const auto chosen = a[i];
            const auto other = b[i];
            out[i] = Function{}(x[i], y[i]) ? chosen : other;
        }
    }
};

/// How often the comparison `Function` holds, in numbers as wide as the values.
template <class Function, class T>
struct holding {
    [[gnu::always_inline]] static std::size_t run(const char* const* operands,
                                                  std::size_t count) noexcept {
        const T* const x = operand_as<T>(operands[0]);
        const T* const y = operand_as<T>(operands[1]);
        bits<sizeof(T)> found = 0;
        for (std::size_t i = 0; i < count; ++i) {
            found += Function{}(x[i], y[i]) ? 1 : 0;
        }
        return found;
    }
};

/// The values of an operand.
template <class T>
struct plain_values {
    static constexpr bool are_computed = false;
    const T* values;

    [[gnu::always_inline]] explicit plain_values(const char* const*& next) noexcept
        : values{operand_as<T>(*next++)} {}
    [[gnu::always_inline]] T operator[](std::size_t i) const noexcept { return values[i]; }
};
/// The results of `Function` for two operands.
template <class Function, class T>
struct computed_values {
    static constexpr bool are_computed = true;
    plain_values<T> a, b;

    [[gnu::always_inline]] explicit computed_values(const char* const*& next) noexcept
        : a{next}, b{next} {}
    [[gnu::always_inline]] T operator[](std::size_t i) const noexcept {
        return Function{}(a[i], b[i]);
    }
};

/// `Function` of `Left` and `Right`.
template <class Function, class T, class Left, class Right>
struct applied_to {
    [[gnu::always_inline]] static void run(const char* const* operands, char* to,
                                           std::size_t count) noexcept {
        const Left a{operands};
        const Right b{operands};
        auto* __restrict out = reinterpret_cast<T*>(to);
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = Function{}(a[i], b[i]);
        }
    }
};

/// `x < y ? a : b` for the comparison `Function`, a `Left` and a `Right`.
template <class Function, class T, class Left, class Right>
struct chosen_from {
    [[gnu::always_inline]] static void run(const char* const* operands, char* to,
                                           std::size_t count) noexcept {
        using chosen = bits<sizeof(T)>;
        const plain_values<T> x{operands}, y{operands};
        const Left a{operands};
        const Right b{operands};
        auto* __restrict out = reinterpret_cast<chosen*>(to);
        // What is not chosen is computed too, because its errors are reported: compilers leave it out unless it is used.
        chosen used = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const chosen mask = -static_cast<chosen>(Function{}(x[i], y[i]));
            const auto left = std::bit_cast<chosen>(a[i]);
            const auto right = std::bit_cast<chosen>(b[i]);
            used |= (Left::are_computed ? left : 0) | (Right::are_computed ? right : 0);
            out[i] = (left & mask) | (right & ~mask);
        }
        asm volatile("" : : "r"(used));
    }
};

template <class Loop>
native_loop loop() noexcept {
    return loop_for_processor<Loop, const char* const*, char*, std::size_t>();
}

struct magnitude {
    template <class T>
    T operator()(T x) const noexcept {
        return std::fabs(x);
    }
};
struct squared {
    template <class T>
    T operator()(T x) const noexcept {
        return x * x;
    }
};
/// `bound`, which is no NaN, if `IsBeyond` holds for `value` and it; otherwise `value`, also if that is NaN.
template <class IsBeyond>
struct bounded {
    template <class T>
    T operator()(T value, T bound) const noexcept {
        return IsBeyond{}(value, bound) ? bound : value;
    }
};
struct both {
    std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const noexcept {
        return (a != 0) & (b != 0);
    }
};
struct either {
    std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const noexcept { return (a | b) != 0; }
};
struct one_only {
    std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const noexcept {
        return (a != 0) != (b != 0);
    }
};
struct opposite {
    std::uint8_t operator()(std::uint8_t a) const noexcept { return a == 0; }
};

template <class Loop = native_loop>
struct named_loop {
    std::string_view name;
    Loop loop;
};
template <class Loop, std::size_t Count>
Loop among(std::string_view name, const std::array<named_loop<Loop>, Count>& loops) noexcept {
    for (const named_loop<Loop>& each : loops) {
        if (each.name == name) {
            return each.loop;
        }
    }
    return nullptr;
}

/// What `f` returns for the type of the comparison `name`.
template <class F>
auto for_comparison(std::string_view name, const F& f) noexcept {
    using loop_t = decltype(f(less{}));
    const std::array<named_loop<loop_t>, 6> loops{{
        {"less", f(less{})},
        {"less_equal", f(less_equal{})},
        {"greater", f(greater{})},
        {"greater_equal", f(greater_equal{})},
        {"equal", f(std::equal_to<>{})},
        {"not_equal", f(std::not_equal_to<>{})},
    }};
    return among(name, loops);
}
template <template <class, class> class Loop, class T>
native_loop comparison(std::string_view name) noexcept {
    return for_comparison(name, []<class Function>(Function) { return loop<Loop<Function, T>>(); });
}
/// Sums, differences and products; of integers modulo their range, as `T` is unsigned then.
template <class T>
native_loop arithmetic(std::string_view name) noexcept {
    static const std::array<named_loop<>, 5> loops{{
        {"add", loop<applied<std::plus<>, T>>()},
        {"subtract", loop<applied<std::minus<>, T>>()},
        {"multiply", loop<applied<std::multiplies<>, T>>()},
        {"negative", loop<applied<std::negate<>, T>>()},
        {"square", loop<applied<squared, T>>()},
    }};
    return among(name, loops);
}
template <class T>
native_loop of_floats(std::string_view name) noexcept {
    static const std::array<named_loop<>, 3> loops{{
        {"divide", loop<applied<std::divides<>, T>>()},
        {"true_divide", loop<applied<std::divides<>, T>>()},  // the name of the same in old NumPy
        {"absolute", loop<applied<magnitude, T>>()},
    }};
    return among(name, loops);
}
native_loop of_bools(std::string_view name) noexcept {
    static const std::array<named_loop<>, 8> loops{{
        {"logical_and", loop<applied<both, std::uint8_t>>()},
        {"logical_or", loop<applied<either, std::uint8_t>>()},
        {"logical_xor", loop<applied<one_only, std::uint8_t>>()},
        {"logical_not", loop<applied<opposite, std::uint8_t>>()},
        {"bitwise_and", loop<applied<both, std::uint8_t>>()},
        {"bitwise_or", loop<applied<either, std::uint8_t>>()},
        {"bitwise_xor", loop<applied<one_only, std::uint8_t>>()},
        {"invert", loop<applied<opposite, std::uint8_t>>()},
    }};
    return among(name, loops);
}

/// `f` of the type of what `name` computes, or of plain values.
template <class T, class F>
native_loop with_operand(std::string_view name, const F& f) noexcept {
    if (name.empty()) {
        return f(std::type_identity<plain_values<T>>{});
    }
    if (name == "add") {
        return f(std::type_identity<computed_values<std::plus<>, T>>{});
    }
    if (name == "subtract") {
        return f(std::type_identity<computed_values<std::minus<>, T>>{});
    }
    return f(std::type_identity<computed_values<std::multiplies<>, T>>{});
}

/// The loop of `name` of two operands, or, if it `Chooses`, the one that chooses by the comparison `name`.
template <bool Chooses, class T>
native_loop joined_of_floats(std::string_view name, std::string_view left,
                             std::string_view right) noexcept {
    return with_operand<T>(left, [&]<class Left>(std::type_identity<Left>) {
        return with_operand<T>(right, [&]<class Right>(std::type_identity<Right>) {
            if constexpr (std::is_same_v<Left, Right> && std::is_same_v<Left, plain_values<T>>) {
                return native_loop{};
            } else if constexpr (Chooses) {
                static const std::array<named_loop<>, 3> loops{{
                    {"less", loop<chosen_from<less, T, Left, Right>>()},
                    {"less_equal", loop<chosen_from<less_equal, T, Left, Right>>()},
                    {"equal", loop<chosen_from<std::equal_to<>, T, Left, Right>>()},
                }};
                return among(name, loops);
            } else {
                static const std::array<named_loop<>, 3> loops{{
                    {"add", loop<applied_to<std::plus<>, T, Left, Right>>()},
                    {"subtract", loop<applied_to<std::minus<>, T, Left, Right>>()},
                    {"multiply", loop<applied_to<std::multiplies<>, T, Left, Right>>()},
                }};
                return among(name, loops);
            }
        });
    });
}

/// `f(type)` for the C++ type of NumPy's `character`; null for other types.
template <class F>
auto with_type(char character, const F& f) -> decltype(f(float{})) {
    switch (character) {
        case 'f':
            return f(float{});
        case 'd':
            return f(double{});
        case 'i':
            return f(std::int32_t{});
        case 'l':
            static_assert(sizeof(long) == 8);
            return f(std::int64_t{});
        default:
            return nullptr;
    }
}

/// The type that all operands of `types` have; 0 unless they have one.
char read_type(std::string_view types) noexcept {
    const auto read = types.substr(0, types.find("->"));
    return read.find_first_not_of(read[0]) == std::string_view::npos ? read[0] : '\0';
}

/// The type that "maximum" or "minimum" reads and returns; 0 for other functions, and for floats where it is not known
/// which of two zeros NumPy returns: it is that of the processor's instruction, on x86-64 the second one.
char extreme_type(std::string_view name, std::string_view types) noexcept {
    const char read = read_type(types);
    if ((name != "maximum" && name != "minimum") || types.back() != read) {
        return '\0';
    }
#if !defined(__x86_64__)
    if (read == 'f' || read == 'd') {
        return '\0';
    }
#endif
    return read;
}

}  // namespace

native_loop native_loop_of(std::string_view name, std::string_view types) noexcept {
    const char read = read_type(types);
    if (read == '?' && types.back() == '?') {
        return of_bools(name);
    }
    return with_type(read, [&]<class T>(T) -> native_loop {
        if (types.back() == '?') {
            return comparison<applied, T>(name);
        }
        if (types.back() != read) {
            return nullptr;
        }
        if constexpr (std::is_floating_point_v<T>) {
            const native_loop found = of_floats<T>(name);
            return found != nullptr ? found : arithmetic<T>(name);
        } else {
            return arithmetic<std::make_unsigned_t<T>>(name);
        }
    });
}

counting_loop counting_loop_of(std::string_view name, std::string_view types) noexcept {
    if (types.back() != '?') {
        return nullptr;
    }
    return with_type(read_type(types), [&]<class T>(T) {
        return for_comparison(name, []<class Function>(Function) -> counting_loop {
            return loop_for_processor<holding<Function, T>, const char* const*, std::size_t>();
        });
    });
}

native_loop selecting_loop(std::size_t size_bytes) noexcept {
    switch (size_bytes) {
        case 1:
            return loop<selected<std::uint8_t>>();
        case 2:
            return loop<selected<std::uint16_t>>();
        case 4:
            return loop<selected<std::uint32_t>>();
        default:
            return loop<selected<std::uint64_t>>();
    }
}

bool can_be_joined(std::string_view name, std::string_view types) noexcept {
    return (name == "add" || name == "subtract" || name == "multiply") &&
           (types == "ff->f" || types == "dd->d");
}

native_loop joined_loop(std::string_view name, std::string_view types, std::string_view left,
                        std::string_view right) noexcept {
    return types == "ff->f"   ? joined_of_floats<false, float>(name, left, right)
           : types == "dd->d" ? joined_of_floats<false, double>(name, left, right)
                              : nullptr;
}

native_loop joined_comparing_loop(std::string_view name, std::string_view types,
                                  std::string_view left, std::string_view right) noexcept {
    return types == "ff->?"   ? joined_of_floats<true, float>(name, left, right)
           : types == "dd->?" ? joined_of_floats<true, double>(name, left, right)
                              : nullptr;
}

native_loop bounding_loop(std::string_view name, std::string_view types,
                          bool returns_value) noexcept {
    const bool is_lower = name == "maximum";
    return with_type(extreme_type(name, types), [&]<class T>(T) {
        if (returns_value) {
            return is_lower ? loop<with_constant<bounded<less>, T>>()
                            : loop<with_constant<bounded<greater>, T>>();
        }
        return is_lower ? loop<with_constant<bounded<less_equal>, T>>()
                        : loop<with_constant<bounded<greater_equal>, T>>();
    });
}

native_loop clipping_loop(std::string_view outer, std::string_view types,
                          bool returns_value) noexcept {
    return with_type(extreme_type(outer, types), [&]<class T>(T) {
        const auto clipping = [&]<class IsBelow, class IsAbove>(IsBelow, IsAbove) {
            using at_least = bounded<IsBelow>;
            using at_most = bounded<IsAbove>;
            return outer == "minimum" ? loop<with_constants<at_least, at_most, T>>()
                                      : loop<with_constants<at_most, at_least, T>>();
        };
        return returns_value ? clipping(less{}, greater{})
                             : clipping(less_equal{}, greater_equal{});
    });
}

native_loop comparing_loop(std::string_view name, std::string_view types) noexcept {
    return with_type(read_type(types), [&]<class T>(T) { return comparison<compared, T>(name); });
}

}  // namespace pointsman::python
