// SPDX-License-Identifier: Apache-2.0
// The policy that chooses a resource at random.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/policy/detail/thread_slots.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/policy_base.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/policy/selection.hpp"

namespace pointsman {

/// A seed that differs from run to run.
[[nodiscard]] inline std::uint64_t random_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32U) | device();
}

/// Chooses each resource of its set with the same probability. Use it where many processes submit to
/// the same resources and must not fall into step, and as a baseline.
///
/// With a `seed` of the user's own a thread makes the same choices in each run, as long as the
/// process's threads begin to submit in the same order.
///
/// **Needs**: no reports.
/// **Throws**: at construction `empty_resource_set`.
/// **Thread safety**: all members from any thread; each thread draws from a sequence of its own.
/// **Cost**: two multiplications more than the call; no atomic step, no allocation.
/// **Example**: `random_policy p{{0, 1, 2}};  submit(p, [](int r) { use(r); });`
/// Source: *Custom Random Policy* in the custom policies document; the generator is SplitMix64
/// (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class random_policy : public policy_base<random_policy<Resource, ResourceAdapter, Backend>,
                                         ResourceAdapter, Backend> {
    using base = policy_base<random_policy, ResourceAdapter, Backend>;

  public:
    using typename base::resource_type;
    using selection_type = typename base::state_selection;

    class state_type {
      public:
        explicit state_type(const std::vector<resource_type>& resources,
                            std::uint64_t seed = random_seed())
            : size_{resources.size()}, seed_{seed} {}

        struct choice {
            std::size_t index;
        };
        template <class... Task>
        [[nodiscard]] choice choose(std::size_t thread, const Task&...) noexcept {
            std::uint64_t* const mine = drawn_.of(thread);
            const std::uint64_t number =
                mine != nullptr ? (*mine)++ : drawn_by_others_.fetch_add(1);
            const std::uint64_t bits = mixed(mixed(seed_ + thread) + number * golden);
            // The upper half, scaled: the error in the probabilities is below size / 2^32.
            return {static_cast<std::size_t>(((bits >> 32U) * size_) >> 32U)};
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

    explicit random_policy(deferred_initialization_t) {}
    explicit random_policy(std::uint64_t seed = random_seed()) { base::initialize(seed); }
    explicit random_policy(const std::vector<resource_type>& resources,
                           std::uint64_t seed = random_seed()) {
        base::initialize(resources, seed);
    }
    random_policy(const std::vector<resource_type>& resources,
                  std::type_identity_t<ResourceAdapter> adapter,
                  std::uint64_t seed = random_seed()) {
        base::initialize(resources, std::move(adapter), seed);
    }
};

template <class Resource>
random_policy(const std::vector<Resource>&, std::uint64_t = 0) -> random_policy<Resource>;
template <detail::listed_resource Resource>
random_policy(std::initializer_list<Resource>, std::uint64_t = 0) -> random_policy<Resource>;
template <class Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
random_policy(const std::vector<Resource>&, Adapter, std::uint64_t = 0)
    -> random_policy<Resource, Adapter>;
template <detail::listed_resource Resource, class Adapter>
    requires(!std::is_integral_v<Adapter>)
random_policy(std::initializer_list<Resource>, Adapter, std::uint64_t = 0)
    -> random_policy<Resource, Adapter>;

static_assert(policy<random_policy<detail::sample_resource>> &&
              policy_state<random_policy<detail::sample_resource>::state_type> &&
              selection<random_policy<detail::sample_resource>::selection_type>);

}  // namespace pointsman
