// SPDX-License-Identifier: Apache-2.0
// The policy that draws each resource with equal probability, with a sequence for each thread.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/thread_slots.hpp"

namespace pointsman {

/// Returns a seed that differs from run to run.
/// **Throws**: `std::system_error` if the system gives none.
[[nodiscard]] inline std::uint64_t random_seed() {
    std::uint64_t seed;
    if (::getentropy(&seed, sizeof seed) != 0) {  // <random> would take longer to compile
        throw std::system_error{errno, std::generic_category(),
                                "getentropy() gave no random seed: pass one to the policy"};
    }
    return seed;
}

/// The rule of `random_policy`, for `size` resources.
class random_rule {
  public:
    static constexpr auto name = "random";
    using settings = detail::rule_settings<std::uint64_t>;
    using reports = detail::needed_reports<>;
    using choice = detail::chosen_index;

    explicit random_rule(std::size_t size, std::uint64_t seed = random_seed())
        : size_{size}, seed_{seed} {}

    template <class... Task>
    [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
        std::uint64_t* const mine = drawn_.of(thread);
        const std::uint64_t number = mine != nullptr ? (*mine)++ : drawn_by_others_.fetch_add(1);
        const std::uint64_t bits = mixed(mixed(seed_ + thread) + number * golden);
        // The upper half, scaled: the error in the probabilities is below size / 2^32.
        return {static_cast<std::size_t>(((bits >> 32U) * size_) >> 32U)};
    }
    [[nodiscard]] std::string explain(const choice&) const {
        return "it was drawn, as each of " + std::to_string(size_) + " may be";
    }

  private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

    static std::uint64_t mixed(std::uint64_t bits) noexcept {
        bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebULL;
        return bits ^ (bits >> 31U);
    }

    std::size_t size_;
    std::uint64_t seed_;
    detail::thread_slots<std::uint64_t> drawn_;
    std::atomic<std::uint64_t> drawn_by_others_{0};
};

/// Chooses each resource of its set with the same probability. Use it where many processes submit to
/// the same resources and must not fall into step, and as a baseline.
///
/// With a user-defined `seed` each of the first `detail::thread_slots::limit` threads makes the same
/// choices in every run, if the threads of the process begin to submit in the same order.
///
/// **Needs**: no reports.
/// **Throws**: at construction `empty_resource_set`, and `std::system_error` if no seed is passed and the system gives
/// none.
/// **Thread safety**: all members from any thread; each thread draws from its own sequence.
/// **Cost**: a few multiplications; no allocation, and no atomic operation in the first
/// `detail::thread_slots::limit` threads.
/// **Example**: `random_policy p{{0, 1, 2}};  submit(p, [](int r) { use(r); });`
/// Source: *Custom Random Policy* in the custom policies document; the generator is SplitMix64
/// (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class random_policy : public detail::rule_policy<random_policy<Resource, ResourceAdapter, Backend>,
                                                 random_rule, ResourceAdapter, Backend> {
  public:
    using random_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(random_policy, std::uint64_t);

static_assert(detail::policy_by_rule<random_policy<detail::sample_resource>>);

}  // namespace pointsman
