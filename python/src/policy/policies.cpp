// SPDX-License-Identifier: Apache-2.0
// Registers the engine's policies that do not measure, and converts their options.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "policy/register_policy.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

std::size_t to_index(py::ssize_t index, std::size_t size) {
    if (size == 0) {
        throw empty_resource_set{};
    }
    if (index < 0) {
        throw resource_index_error{index, size};
    }
    return static_cast<std::size_t>(index);
}

/// Converts `value` to an unsigned number. **Throws**: `invalid_option` if it is too small or too large.
std::uint32_t to_count(const char* name, py::ssize_t value, py::ssize_t least) {
    constexpr py::ssize_t most = std::numeric_limits<std::uint32_t>::max();
    if (value < least || value > most) {
        throw invalid_option{std::string{name} + " is " + std::to_string(value) +
                             ": pass a number from " + std::to_string(least) + " to " +
                             std::to_string(most)};
    }
    return static_cast<std::uint32_t>(value);
}

constexpr parameter tie_break_parameter{"tie_break", "'rotate'", "'rotate' or 'first'", true};

/// Converts the option `tie_break`, which is the second option of its policies.
tie_break to_tie_break(const bound_arguments& given) {
    const auto chosen = given.get<std::string>(2, "rotate");
    if (chosen != "rotate" && chosen != "first") {
        throw invalid_option{given.misfit(2)};
    }
    return chosen == "first" ? tie_break::first : tie_break::rotate;
}

/// Registers a policy whose only option is the position of a resource.
template <class Policy>
void register_with_index(py::module_& m, const char* name, const char* option, const char* doc) {
    register_with_option<Policy, py::ssize_t>(
        m, name, {option, "0", "an int, the position of a resource"}, doc,
        [](py::ssize_t index, const resources_t& set) { return to_index(index, set.size()); });
}

void register_random(py::module_& m) {
    using seed_t = std::optional<std::uint64_t>;
    register_with_option<over_objects<random_policy>, seed_t>(
        m, "Random", {"seed", "None", "an int from 0 to 2**64 - 1, or None"},
        R"(Chooses each resource with the same probability.

resources: iterable of any objects; default ``pointsman.discover()``.
seed: an integer from 0 to 2**64 - 1, with which a program repeats its choices; default a different
seed in each run.

>>> policy = pm.Random(["a", "b", "c"], seed=7)
>>> again = pm.Random(["a", "b", "c"], seed=7)
>>> [policy.select().resource == again.select().resource for _ in range(3)]
[True, True, True])",
        [](const seed_t& seed, const resources_t&) { return seed.value_or(random_seed()); });
}

void register_dynamic_load(py::module_& m) {
    register_with_options<over_objects<dynamic_load_policy>>(
        m, "DynamicLoad",
        {{"offset", "0", "an int, the position of a resource"}, tie_break_parameter},
        R"(Chooses the resource with the fewest outstanding submissions.

resources: iterable of any objects; default ``pointsman.discover()``.
offset: the position of the resource with which the choice among equally loaded resources begins.
tie_break: among equally loaded resources, ``"rotate"`` takes them in turn, so that work submitted one
piece at a time uses all of them; ``"first"`` always takes the first from ``offset`` on, so that the
others get work only while it is busy.

>>> policy = pm.DynamicLoad([pm.Arena(1), pm.Arena(1)])
>>> submission = policy.submit(lambda arena, x: arena.run(pow, x, 2), 7)
>>> submission.result()
49
>>> policy.loads()
[0, 0])",
        [](const bound_arguments& given, const resources_t& set) {
            return std::tuple{to_index(given.get<py::ssize_t>(1, 0), set.size()),
                              to_tie_break(given)};
        });
}

void register_token(py::module_& m) {
    register_with_options<over_objects<token_policy>>(
        m, "Token", {{"tokens", "1", "an int, the tokens of each resource"}, tie_break_parameter},
        R"(Limits the outstanding submissions of each resource.

resources: iterable of any objects; default ``pointsman.discover()``.
tokens: how many submissions may be outstanding on each resource.
tie_break: ``"rotate"`` or ``"first"``, as for ``DynamicLoad``.

A submission goes to the least loaded resource and keeps one of its tokens until it is complete.
Without a free token ``try_submit`` returns ``None`` and ``submit`` waits, without the GIL.

>>> from concurrent.futures import Future
>>> policy = pm.Token(["license"], tokens=1)
>>> future = Future()
>>> first = policy.submit(lambda resource: future)  # holds the token until the future is complete
>>> print(policy.try_submit(lambda resource: "second"))
None
>>> future.set_result("first")
>>> policy.submit_and_wait(lambda resource: "second")
'second')",
        [](const bound_arguments& given, const resources_t&) {
            return std::tuple{to_count("tokens", given.get<py::ssize_t>(1, 1), 1),
                              to_tie_break(given)};
        });
}

void register_weighted_round_robin(py::module_& m) {
    using policy = over_objects<weighted_round_robin_policy>;
    using weights_t = std::vector<py::ssize_t>;
    register_with_option<policy, weights_t>(
        m, "WeightedRoundRobin", {"weights", "()", "a sequence of ints, one for each resource"},
        R"(Takes the resources in turn, some more often than others.

resources: iterable of any objects; default ``pointsman.discover()``.
weights: a sequence of integers, the turns of each resource in a round; empty for one turn each.

>>> policy = pm.WeightedRoundRobin(["fast", "slow"], weights=[2, 1])
>>> [policy.submit_and_wait(lambda resource: resource) for _ in range(6)]
['fast', 'slow', 'fast', 'fast', 'slow', 'fast'])",
        [](const weights_t& weights, const resources_t&) {
            std::vector<std::uint32_t> counts;
            for (const auto weight : weights) {
                counts.push_back(to_count("a weight", weight, 0));
            }
            return counts;
        });
}

}  // namespace

void register_policies(py::module_& m) {
    py::class_<deferred_initialization_t>(m, "DeferredInitialization",
                                          "Type of ``deferred_initialization``.");
    m.attr("deferred_initialization") = deferred_initialization;

    register_with_index<over_objects<fixed_resource_policy>>(
        m, "FixedResource", "index", R"(Always chooses the resource at ``index``.

resources: iterable of any objects; default ``pointsman.discover()``.

>>> policy = pm.FixedResource(["near", "far"], index=1)
>>> policy.submit_and_wait(lambda resource, x: f"{x} is {resource}", "it")
'it is far')");
    register_with_index<over_objects<round_robin_policy>>(
        m, "RoundRobin", "offset",
        R"(Takes the resources in turn, beginning with the one at ``offset``.

resources: iterable of any objects; default ``pointsman.discover()``.

>>> policy = pm.RoundRobin(["a", "b", "c"], offset=1)
>>> [policy.submit_and_wait(lambda resource: resource) for _ in range(4)]
['b', 'c', 'a', 'b'])");
    register_dynamic_load(m);
    register_random(m);
    register_token(m);
    register_weighted_round_robin(m);
}

}  // namespace pointsman::python
