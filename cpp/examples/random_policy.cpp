// SPDX-License-Identifier: Apache-2.0
// A user-defined policy: each submission goes to a resource chosen at random.
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

/// The selection rule alone: `try_submit`, `submit` and `submit_and_wait` follow from it. Several
/// threads may submit at once because each has its own generator.
template <class Resource, class Adapter = pointsman::identity,
          class Backend = pointsman::default_backend<Resource, Adapter>>
class random_policy
    : public pointsman::policy_base<random_policy<Resource, Adapter, Backend>, Adapter, Backend> {
    using base = pointsman::policy_base<random_policy, Adapter, Backend>;

  public:
    using typename base::selection_type;

    random_policy() { base::initialize(); }
    explicit random_policy(const std::vector<Resource>& resources, Adapter adapter = {}) {
        base::initialize(resources, adapter);
    }
    void initialize_impl() { resources_ = base::get_resources(); }

    template <class... Task>
    std::shared_ptr<selection_type> try_select_impl(const Task&...) {
        thread_local std::mt19937 generator{std::random_device{}()};
        std::uniform_int_distribution<std::size_t> any{0, resources_.size() - 1};
        return std::make_shared<selection_type>(*this, resources_[any(generator)]);
    }

  private:
    std::vector<Resource> resources_;
};

}  // namespace

int main() {
    random_policy<std::string> policy{{"red", "green", "blue"}};
    std::map<std::string, int> used;
    for (int i = 0; i < 300; ++i) {
        auto submission = pointsman::submit(policy, [](const std::string& r) { return r; });
        ++used[submission.unwrap()];
    }
    for (const auto& [name, times] : used) {
        std::cout << name << ": " << times << '\n';
    }
    return used.size() == policy.get_resources().size() ? EXIT_SUCCESS : EXIT_FAILURE;
}
