// SPDX-License-Identifier: Apache-2.0
// Parameters of constructors and methods: matches arguments to them, writes the signature that tools
// read, and words the errors.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// One parameter of a constructor, method or function.
struct parameter {
    const char* name;
    const char* default_value;  ///< in Python syntax; null for a required parameter
    const char* accepts;        ///< what may be passed; completes the error text "pass ..."
    bool is_keyword_only = false;
};

template <class T>
inline constexpr bool is_integer_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_integer_v<std::optional<T>> = is_integer_v<T>;

/// The arguments of one call, in the order of the parameters. **Thread safety**: GIL held.
class bound_arguments {
  public:
    bound_arguments(std::string function, const std::vector<parameter>& parameters)
        : function_{std::move(function)}, parameters_{parameters}, values_(parameters.size()) {}

    [[nodiscard]] bool is_given(std::size_t i) const { return static_cast<bool>(values_[i]); }
    /// Returns the argument, or None if it was not passed.
    [[nodiscard]] py::object get(std::size_t i) const {
        return is_given(i) ? values_[i] : py::none();
    }
    /// Returns the argument as a `T`, or `otherwise` if it was not passed.
    /// **Throws**: `TypeError`, naming the argument, if it cannot be converted to `T`;
    /// `invalid_option` for an integer that does not fit into `T`.
    template <class T>
    [[nodiscard]] T get(std::size_t i, T otherwise) const {
        return is_given(i) ? as<T>(i) : std::move(otherwise);
    }
    /// Returns an argument that was passed, as a `T`. **Throws**: as `get`.
    template <class T>
    [[nodiscard]] T as(std::size_t i) const {
        try {
            return values_[i].cast<T>();
        } catch (const py::cast_error&) {
            if (is_integer_v<T> && PyLong_Check(values_[i].ptr())) {
                throw invalid_option{misfit(i)};
            }
            throw py::type_error{misfit(i)};
        } catch (const py::reference_cast_error&) {  // None where `T` is a reference
            throw py::type_error{misfit(i)};
        }
    }

    void set(std::size_t i, py::handle value);
    /// Returns the error message for an argument that cannot be used.
    [[nodiscard]] std::string misfit(std::size_t i) const;

  private:
    std::string function_;
    const std::vector<parameter>& parameters_;
    std::vector<py::object> values_;  // null when not passed
};

/// The name of a constructor, method or function, and its parameters.
class call_signature {
  public:
    call_signature(std::string function, std::vector<parameter> parameters)
        : function_{std::move(function)}, parameters_{std::move(parameters)} {}

    /// Returns a signature with the same parameters under another name.
    [[nodiscard]] call_signature named(std::string function) const {
        return {std::move(function), parameters_};
    }

    /// Assigns the arguments to the parameters.
    /// **Throws**: `TypeError` with the signature, where Python raises one for its own functions.
    [[nodiscard]] bound_arguments bind(const py::args& args, const py::kwargs& kwargs) const;

    [[nodiscard]] const std::string& function() const noexcept { return function_; }
    [[nodiscard]] const parameter& operator[](std::size_t i) const { return parameters_[i]; }

    /// Returns `doc` below a signature that `inspect.signature` reads; `self` is the first parameter of
    /// a method.
    [[nodiscard]] std::string documented(const std::string& doc, const char* self = "") const;
    /// Returns the docstring of `__init__`, where `inspect.signature` looks first.
    [[nodiscard]] std::string of_constructor() const {
        return named("__init__").documented("See the class.", "self");
    }

  private:
    [[nodiscard]] std::string text(const std::string& self) const;
    [[nodiscard]] std::size_t index_of(const std::string& keyword) const;

    std::string function_;
    std::vector<parameter> parameters_;
};

inline void bound_arguments::set(std::size_t i, py::handle value) {
    if (is_given(i)) {
        throw py::type_error{function_ + "() got multiple values for argument '" +
                             parameters_[i].name + "'"};
    }
    values_[i] = py::reinterpret_borrow<py::object>(value);
}

inline std::string bound_arguments::misfit(std::size_t i) const {
    const py::object shortened = py::module_::import("reprlib").attr("repr")(values_[i]);
    return function_ + "(): " + parameters_[i].name + " is " + shortened.cast<std::string>() +
           ": pass " + parameters_[i].accepts;
}

inline bound_arguments call_signature::bind(const py::args& args, const py::kwargs& kwargs) const {
    bound_arguments bound{function_, parameters_};
    const auto by_position = static_cast<std::size_t>(
        std::ranges::count(parameters_, false, &parameter::is_keyword_only));
    if (args.size() > by_position) {
        throw py::type_error{function_ + "() takes at most " + std::to_string(by_position) +
                             " arguments by position, but " + std::to_string(args.size()) +
                             " were given: its signature is " + text("")};
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
        bound.set(i, args[i]);
    }
    for (const auto& [name, value] : kwargs) {
        bound.set(index_of(name.cast<std::string>()), value);
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (parameters_[i].default_value == nullptr && !bound.is_given(i)) {
            throw py::type_error{function_ + "() misses the argument '" + parameters_[i].name +
                                 "': its signature is " + text("")};
        }
    }
    return bound;
}

inline std::size_t call_signature::index_of(const std::string& keyword) const {
    const auto found =
        std::ranges::find_if(parameters_, [&](const parameter& p) { return keyword == p.name; });
    if (found == parameters_.end()) {
        throw py::type_error{function_ + "() got an unexpected keyword argument '" + keyword +
                             "': its signature is " + text("")};
    }
    return static_cast<std::size_t>(found - parameters_.begin());
}

inline std::string call_signature::text(const std::string& self) const {
    std::string inside = self;
    bool by_keyword = false;
    for (const parameter& p : parameters_) {
        inside += inside.empty() ? "" : ", ";
        if (p.is_keyword_only && !std::exchange(by_keyword, true)) {
            inside += "*, ";
        }
        inside += p.name;
        if (p.default_value != nullptr) {
            inside += std::string{"="} + p.default_value;
        }
    }
    return function_ + "(" + inside + ")";
}

inline std::string call_signature::documented(const std::string& doc, const char* self) const {
    return text(self) + "\n--\n\n" + doc;
}

}  // namespace pointsman::python
