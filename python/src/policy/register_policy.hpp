// SPDX-License-Identifier: Apache-2.0
// Registers a policy class in Python: its verbs, constructor, `initialize` and common methods.
#pragma once

#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "backend/python_backend.hpp"
#include "call_signature.hpp"
#include "generic_class.hpp"
#include "gil.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "policy/counted_policy.hpp"
#include "policy/policy_metaclass.hpp"
#include "policy/resource_statistics.hpp"
#include "policy/verbs.hpp"
#include "resource/resource_health.hpp"
#include "submission/python_group.hpp"
#include "tuning/domain.hpp"

namespace pointsman::python {

using resources_t = std::vector<python_resource>;

/// A rule of the engine over resources that are Python objects.
template <template <class, class, class, class...> class Policy>
class over_objects : public counting<Policy<python_resource, backend_choice, python_backend>,
                                     backend_choice, python_backend>::type {
    using base = typename counting<Policy<python_resource, backend_choice, python_backend>,
                                   backend_choice, python_backend>::type;

  public:
    using base::base;

    /// Returns the current set of resources with its rule. **Throws**: `not_initialized`.
    [[nodiscard]] auto current() const { return this->backend_.current().share(); }
    /// Returns the backend and options of the last initialisation. **Throws**: `not_initialized`.
    [[nodiscard]] backend_choice choice() const {
        return this->backend_.current()->backend.choice();
    }
};

/// Returns the given resources, or the backend's, or those that `pointsman.discover()` finds.
/// `health` is a `HealthSettings` or None; `times_all` is that of their `resource_record`.
/// **Throws**: `invalid_option` for settings out of range.
inline resources_t to_resources(const py::object& given, const py::object& backend,
                                const py::object& health, bool times_all = false) {
    const py::object found =
        py::module_::import("pointsman._backend").attr("resources_of")(given, backend);
    static std::atomic<std::uint32_t> sets{0};
    const std::uint32_t set_number = ++sets;
    const auto [settings, is_resource_failure] = to_health_settings(health);
    resources_t resources;
    for (const auto& resource : py::iter(found)) {
        resources.push_back({shared_object{py::reinterpret_borrow<py::object>(resource)},
                             binding::make_ref<resource_record>(
                                 domain_of_object(resource), times_all, settings,
                                 (std::uint64_t{set_number} << 32U) + resources.size(),
                                 shared_object{is_resource_failure}),
                             !backend.is_none() || type_runs_functions(resource.ptr()),
                             type_knows_transfers(resource.ptr()), set_number,
                             static_cast<std::uint32_t>(resources.size())});
    }
    return resources;
}

/// Returns the health of the resources that a policy has now. **Throws**: `not_initialized`.
template <class Policy>
py::object health_of(const Policy& policy) {
    const auto current = policy.current();
    py::list known;
    for (const python_resource& each : current->set->resources) {
        known.append(py::make_tuple(each.object.get()) + to_python(each.record->health()));
    }
    return py::module_::import("pointsman._health").attr("reports")(known);
}

/// Counts a failure, described by `text`, against all entries of `resource` in the current set.
template <class Policy>
void blame(const Policy& policy, const py::object& resource, const std::string& text) {
    const auto current = policy.current();
    for (const python_resource& each : current->set->resources) {
        if (each.object.ptr() == resource.ptr()) {
            each.record->blamed(resource.ptr(), text, py::none());
        }
    }
}

/// Returns the policy as a table for Jupyter.
inline py::object html_of_policy(const py::object& policy) {
    return py::module_::import("pointsman._tables").attr("html_of_policy")(policy);
}

/// Returns the backend, None for the engine's own, and the options as text.
template <class Policy>
py::tuple setting_of(const Policy& policy) {
    const backend_choice choice = policy.choice();
    const bool is_own = choice.object.ptr() == nullptr;
    return py::make_tuple(is_own ? py::object{py::none()} : choice.object.get(), choice.options);
}

inline backend_choice to_choice(const py::object& backend, std::string options = {}) {
    return {backend.is_none() ? shared_object{} : shared_object{backend}, std::move(options)};
}

inline constexpr parameter resources_parameter{
    "resources", "None", "an iterable of any objects, or None for pointsman.discover()"};
inline constexpr parameter backend_parameter{
    "backend", "None", "an instance of a class based on Backend, or None", true};

inline constexpr parameter health_parameter{"health", "None", "a HealthSettings, or None", true};

/// Returns the docstring of `initialize`.
inline std::string documented_initialize(const call_signature& signature) {
    return signature.documented(
        "Replace the set of resources in one step; work in flight keeps the old one alive. A "
        "policy that\nmeasures keeps what it has learnt of resources that are in both sets "
        "(``==``).",
        "self");
}

/// The signature of a policy's constructor and `initialize`: resources, options, a backend, health settings.
inline call_signature policy_signature(const char* name, const std::vector<parameter>& options) {
    std::vector<parameter> all{resources_parameter};
    all.insert(all.end(), options.begin(), options.end());
    all.push_back(backend_parameter);
    all.push_back(health_parameter);
    return {name, std::move(all)};
}

/// Inserts the parameters `backend` and `health` into `described`, before the example with which it ends.
inline std::string with_common_parameters(std::string described) {
    const auto example = std::min(described.find("\n\n>>> "), described.size());
    return described.insert(
        example,
        "\n\nbackend: a ``Backend``, which provides the resources and runs "
        "the work; default the engine's own.\n"
        "health: a ``HealthSettings``: when a resource that fails is left out.");
}

/// Registers a policy without its constructor; `described` is the docstring of the class.
template <class Policy>
py::class_<Policy> register_policy(py::module_& m, const char* name, const std::string& described) {
    const auto documented = with_common_parameters(described);
    py::class_<Policy> cls(m, name, documented.c_str(), py::metaclass(policy_metaclass()));
    make_generic(cls);
    add_verbs<Policy>(cls);
    cls.def(
           "get_resources",
           [](const Policy& p) {
               py::list all;
               for (const auto& resource : p.get_resources()) {
                   all.append(resource.object.get());
               }
               return all;
           },
           "get_resources(self)\n--\n\n"
           "Return the list of resources from which the policy chooses.")
        .def(
            "submission_group",
            [](const py::object& policy) {
                const auto& p = policy.cast<Policy&>();
                return python_group::of(policy, p.get_submission_group(), p.current()->set->group);
            },
            "submission_group(self)\n--\n\n"
            "Return an object whose ``wait()`` blocks until all submissions so far are complete.")
        .def("statistics", &statistics_of<Policy>,
             "statistics(self)\n--\n\n"
             "Return a ``ResourceStatistics`` for each resource, and what was learnt of tasks.")
        .def("loads", &Policy::loads,
             "loads(self)\n--\n\n"
             "Return the number of outstanding submissions and selections of each resource.")
        .def("health", &health_of<Policy>,
             "health(self)\n--\n\n"
             "Return a ``ResourceHealth`` for each resource, in the order of the set.")
        .def("_blame", &blame<Policy>,
             "_blame(self, resource, text)\n--\n\nCount a failure of a resource by its own fault.")
        .def("_setting", &setting_of<Policy>,
             "_setting(self)\n--\n\nReturn the backend, or None, and the options as text.")
        .def("__repr__",
             [](const py::object& policy) {
                 return py::module_::import("pointsman._representation").attr("of_policy")(policy);
             })
        .def("_repr_html_", &html_of_policy,
             "_repr_html_(self)\n--\n\nReturn the policy as a table for Jupyter.");
    return cls;
}

/// The passed arguments, converted for the engine.
template <class Options>
struct policy_setting {
    resources_t resources;
    Options options;  ///< a tuple
    backend_choice choice;
};

/// Returns the first option, and the other options that were passed, in Python syntax.
inline std::string written_options(const call_signature& signature, const bound_arguments& given,
                                   std::size_t count) {
    std::string written;
    for (std::size_t i = 1; i <= count; ++i) {
        if (i > 1 && !given.is_given(i)) {
            continue;
        }
        written += (i > 1 ? ", " : "") + std::string{signature[i].name} + "=" +
                   (given.is_given(i) ? py::repr(given.get(i)).cast<std::string>()
                                      : std::string{signature[i].default_value});
    }
    return written;
}

/// Converts the arguments: `convert(given, resources)` returns the engine's values of the `count`
/// options as a tuple, or throws.
template <class Convert>
auto to_setting(const call_signature& signature, const bound_arguments& given, std::size_t count,
                const Convert& convert) {
    const py::object backend = given.get(count + 1);
    auto resources = to_resources(given.get(0), backend, given.get(count + 2));
    auto options = convert(given, resources);
    return policy_setting<decltype(options)>{
        std::move(resources), std::move(options),
        to_choice(backend, written_options(signature, given, count))};
}

/// Returns true if `deferred_initialization` was passed. **Throws**: `TypeError` for other arguments
/// beside it.
inline bool is_deferred(const call_signature& signature, const bound_arguments& given,
                        std::size_t count) {
    if (!py::isinstance<deferred_initialization_t>(given.get(0))) {
        return false;
    }
    for (std::size_t i = 1; i <= count + 2; ++i) {
        if (given.is_given(i)) {
            throw py::type_error{signature.function() + "() got " + signature[i].name +
                                 " beside deferred_initialization: pass it to initialize()"};
        }
    }
    return true;
}

/// Lets a policy that has a member `initialized` use the arguments of its constructor or `initialize`.
template <class Policy>
void tell_initialized(Policy& policy, const bound_arguments& given) {
    if constexpr (requires { policy.initialized(given); }) {
        policy.initialized(given);
    }
}

/// Registers a policy with its options, its constructor and `initialize`; see `to_setting`.
template <class Policy, class Convert>
py::class_<Policy> register_with_options(py::module_& m, const char* name,
                                         const std::vector<parameter>& options, const char* doc,
                                         Convert convert) {
    const auto signature = policy_signature(name, options);
    const std::size_t count = options.size();
    const auto initialize = signature.named("initialize");
    auto cls = register_policy<Policy>(m, name, signature.documented(doc));
    cls.def(py::init([=](const py::args& args, const py::kwargs& kwargs) {
                const auto given = signature.bind(args, kwargs);
                if (is_deferred(signature, given, count)) {
                    return Policy{deferred_initialization};
                }
                auto setting = to_setting(signature, given, count, convert);
                auto made = std::apply(
                    [&](auto&... each) {
                        return Policy{setting.resources, std::move(setting.choice),
                                      std::move(each)...};
                    },
                    setting.options);
                tell_initialized(made, given);
                return made;
            }),
            signature.of_constructor().c_str())
        .def(
            "initialize",
            [=](Policy& p, const py::args& args, const py::kwargs& kwargs) {
                const auto given = initialize.bind(args, kwargs);
                auto setting = to_setting(initialize, given, count, convert);
                {
                    const gil_released resources_may_run_code_when_freed;
                    std::apply(
                        [&](auto&... each) {
                            p.initialize(setting.resources, std::move(setting.choice),
                                         std::move(each)...);
                        },
                        setting.options);
                }
                tell_initialized(p, given);
            },
            documented_initialize(initialize).c_str());
    return cls;
}

/// Registers a policy with one option, by default `Option{}`; `convert(option, resources)` returns the engine's
/// value.
template <class Policy, class Option, class Convert>
py::class_<Policy> register_with_option(py::module_& m, const char* name, const parameter& option,
                                        const char* doc, Convert convert) {
    return register_with_options<Policy>(
        m, name, {option}, doc, [=](const bound_arguments& given, const resources_t& set) {
            return std::tuple{convert(given.get<Option>(1, Option{}), set)};
        });
}

}  // namespace pointsman::python
