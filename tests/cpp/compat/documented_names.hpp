// SPDX-License-Identifier: Apache-2.0
// Every name in the documents of dynamic selection, with its signature, checked on inclusion.
#pragma once

#include <oneapi/dpl/dynamic_selection>

#include <gtest/gtest.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace documented {

namespace ex = oneapi::dpl::experimental;
namespace info = ex::execution_info;
using identity = oneapi::dpl::identity;
using resources = std::vector<int>;
using function = int (*)(int);

// The adapter that changes nothing.
static_assert(std::is_void_v<identity::is_transparent>);
static_assert(std::is_same_v<std::invoke_result_t<identity, int&>, int&>);
static_assert(std::is_same_v<dpl::identity, identity>);

// The version.
static_assert(ONEDPL_VERSION_MAJOR >= 2022 && ONEDPL_VERSION_MINOR >= 0 &&
              ONEDPL_VERSION_PATCH >= 0);

// Events and the values reported with them.
template <class Info, class Value>
concept event = std::is_same_v<typename Info::value_type, Value> && Info::is_execution_info_v &&
                ex::execution_info_v<Info> && std::is_empty_v<Info>;
static_assert(event<info::task_submission_t, void> && event<info::task_completion_t, void> &&
              event<info::task_time_t, std::uint64_t>);
static_assert(std::is_same_v<decltype(info::task_submission), const info::task_submission_t>);
static_assert(std::is_same_v<decltype(info::task_completion), const info::task_completion_t>);
static_assert(std::is_same_v<decltype(info::task_time), const info::task_time_t>);
static_assert(
    info::contains_reporting_req_v<info::task_time_t, info::task_submission_t, info::task_time_t> &&
    !info::contains_reporting_req<info::task_time_t, info::task_submission_t>::value);

// Backends.
using backend = ex::default_backend<int>;
static_assert(std::is_same_v<backend, ex::default_backend<int, identity>>);
static_assert(std::derived_from<backend, ex::core_resource_backend<int, int, identity>>);
static_assert(std::is_same_v<backend::resource_type, int>);
static_assert(std::is_same_v<ex::resource_t<backend>, int>);
static_assert(std::is_same_v<backend::execution_resource_t, int>);
static_assert(std::is_same_v<backend::resource_container_t, resources>);
template <class Backend, class... Adapter>
concept takes_requirements =
    std::constructible_from<Backend> && std::constructible_from<Backend, info::task_time_t> &&
    std::constructible_from<Backend, const resources&, Adapter...> &&
    std::constructible_from<Backend, const resources&, Adapter..., info::task_time_t> &&
    std::constructible_from<Backend, const resources&, Adapter..., info::task_submission_t,
                            info::task_completion_t>;
static_assert(takes_requirements<ex::backend_base<int>>);
static_assert(takes_requirements<ex::core_resource_backend<int, int, identity>, identity>);
static_assert(takes_requirements<backend, identity>);
static_assert(requires(backend b, ex::selection_t<ex::round_robin_policy<int>> s, function f) {
    { b.get_resources() } -> std::same_as<resources>;
    b.get_submission_group().wait();
    b.submit(s, f).wait();
});
static_assert(std::is_same_v<ex::backend_traits<backend>::selection_scratch_t<info::task_time_t>,
                             ex::no_scratch_t<info::task_time_t>>);
static_assert(!ex::lazy_report<backend>::value && !ex::lazy_report_v<backend>);
static_assert(!ex::backend_traits<backend>::lazy_report_v);

/// Defines each name that a backend may define, and uses the names that it inherits.
struct own_backend : ex::backend_base<int> {
    template <class... ReportReqs>
    struct scratch_space_t {
        int space = 0;
    };
    using wait_type = int;
    void lazy_report() {}
    auto get_submission_group() { return ex::default_submission_group{resources_}; }
    auto call(function f) { return ex::default_submission{f(resources_.front())}; }
};
static_assert(ex::lazy_report<own_backend>::value && ex::lazy_report_v<own_backend>);
static_assert(std::is_same_v<ex::backend_traits<own_backend>::wait_type, int>);
static_assert(
    std::is_same_v<ex::backend_traits<own_backend>::selection_scratch_t<info::task_time_t>,
                   own_backend::scratch_space_t<info::task_time_t>>);
static_assert(requires(ex::default_submission<int> s) {
    { s.wait() } -> std::same_as<void>;
    { s.unwrap() } -> std::convertible_to<int>;
});
static_assert(std::is_same_v<decltype(std::declval<own_backend&>().call(nullptr)),
                             ex::default_submission<int>>);

// The traits of policies, in both spellings.
template <class Policy>
concept has_traits =
    std::is_same_v<typename ex::policy_traits<Policy>::resource_type, int> &&
    std::is_same_v<ex::resource_t<Policy>, int> &&
    std::is_same_v<typename ex::resource<Policy>::type, int> &&
    std::is_same_v<typename ex::policy_traits<Policy>::selection_type, ex::selection_t<Policy>> &&
    std::is_same_v<typename ex::selection<Policy>::type, ex::selection_t<Policy>> &&
    std::is_void_v<typename ex::policy_traits<Policy>::wait_type> &&
    std::is_void_v<ex::wait_t<Policy>> && std::is_void_v<ex::wait_type_t<Policy>> &&
    std::is_void_v<typename ex::wait_type<Policy>::type> && !ex::has_wait_type_v<Policy> &&
    std::is_same_v<ex::backend_t<Policy>, backend> && ex::policy_traits<Policy>::has_async_submit;

// Construction with the default resources or with given ones, at once or deferred.
template <class Policy, class... Last>
concept is_made = std::constructible_from<Policy, ex::deferred_initialization_t> &&
                  std::constructible_from<Policy, Last...> &&
                  std::constructible_from<Policy, const resources&, Last...> &&
                  std::constructible_from<Policy, const resources&, identity, Last...> &&
                  requires(Policy p, const resources& r, identity adapter, Last... last) {
                      { p.initialize(last...) } -> std::same_as<void>;
                      { p.initialize(r, last...) } -> std::same_as<void>;
                      { p.initialize(r, adapter, last...) } -> std::same_as<void>;
                  };
static_assert(
    std::is_same_v<decltype(ex::deferred_initialization), const ex::deferred_initialization_t>);

template <class Submission>
concept is_submission = requires(Submission s) {
    s.get_policy().get_resources();
    { s.wait() } -> std::same_as<void>;
    { s.unwrap() } -> std::convertible_to<int>;
};
template <class Selection, class Policy>
concept is_selection = requires(Selection s) {
    { s.unwrap() } -> std::convertible_to<int>;
    { s.policy() } -> std::convertible_to<Policy>;
    { s.get_policy() } -> std::convertible_to<Policy>;
};
template <class Policy>
concept is_policy = requires(Policy p, function f, ex::selection_t<Policy> s) {
    { p.get_resources() } -> std::same_as<resources>;
    p.get_submission_group().wait();
    { p.select(f) } -> is_selection<Policy>;
    { p.submit(f) } -> is_submission;
    { p.submit(s, f) } -> is_submission;
    { *p.try_submit(f) } -> is_submission;
    { p.submit_and_wait(f) } -> std::same_as<void>;
    { p.submit_and_wait(s, f) } -> std::same_as<void>;
};

// The free functions.
template <class Policy>
concept is_served = requires(Policy p, function f, ex::selection_t<Policy> s) {
    { ex::get_resources(p) } -> std::same_as<resources>;
    { ex::wait(ex::get_submission_group(p)) } -> std::same_as<void>;
    { ex::select(p, f) } -> is_selection<Policy>;
    { ex::submit(p, f) } -> is_submission;
    { ex::submit(s, f) } -> is_submission;
    { *ex::try_submit(p, f) } -> is_submission;
    { ex::submit_and_wait(p, f) } -> std::same_as<void>;
    { ex::submit_and_wait(s, f) } -> std::same_as<void>;
    { ex::unwrap(s) } -> std::convertible_to<int>;
    { ex::unwrap(1) } -> std::same_as<int>;
    { ex::wait(1) } -> std::same_as<void>;
    { ex::report(s, info::task_submission) } -> std::same_as<void>;
    { ex::report(s, info::task_time, std::uint64_t{1}) } -> std::same_as<void>;
};

template <class Policy>
concept provided = is_made<Policy> && has_traits<Policy> && is_policy<Policy> && is_served<Policy>;
using fixed_resource = ex::fixed_resource_policy<int>;
using round_robin = ex::round_robin_policy<int>;
using dynamic_load = ex::dynamic_load_policy<int>;
using auto_tune = ex::auto_tune_policy<int>;
static_assert(provided<fixed_resource> && is_made<fixed_resource, std::size_t>);
static_assert(provided<round_robin> && is_made<round_robin, std::size_t>);
static_assert(provided<dynamic_load> && is_made<dynamic_load, std::size_t>);
static_assert(provided<auto_tune> && is_made<auto_tune, double> &&
              is_made<auto_tune, std::uint64_t> && auto_tune::never_resample == 0);

// The reports that a selection requests.
template <class Policy, class Info>
constexpr bool asks_for = ex::report_execution_info_v<ex::selection_t<Policy>, Info> &&
                          ex::report_execution_info<ex::selection_t<Policy>, Info>::value;
template <class Policy, class Info>
constexpr bool asks_for_event =
    asks_for<Policy, Info> && ex::report_info_v<ex::selection_t<Policy>, Info> &&
    ex::report_info<ex::selection_t<Policy>, Info>::value;
template <class Policy, class Info>
constexpr bool asks_for_value =
    asks_for<Policy, Info> && ex::report_value_v<ex::selection_t<Policy>, Info, std::uint64_t> &&
    ex::report_value<ex::selection_t<Policy>, Info, std::uint64_t>::value;
static_assert(asks_for_event<dynamic_load, info::task_submission_t> &&
              asks_for_event<dynamic_load, info::task_completion_t> &&
              !asks_for<dynamic_load, info::task_time_t>);
static_assert(asks_for_value<auto_tune, info::task_time_t>);
static_assert(!asks_for<round_robin, info::task_submission_t> &&
              !asks_for<round_robin, info::task_completion_t> &&
              !asks_for<round_robin, info::task_time_t>);

/// A policy with the members that policy_base provides.
class own_policy : public ex::policy_base<own_policy, identity, backend, info::task_submission_t> {
    using base = ex::policy_base<own_policy, identity, backend, info::task_submission_t>;
    typename base::resource_container_t kept_;

  public:
    using typename base::resource_type;
    using typename base::selection_type;
    static_assert(std::is_same_v<typename base::execution_resource_t, int>);
    static_assert(std::is_same_v<typename base::backend_t, backend>);

    explicit own_policy(const resources& r) { base::initialize(r); }
    void initialize_impl() { kept_ = backend_->get_resources(); }
    template <class... Args>
    std::shared_ptr<selection_type> try_select_impl(Args&&...) {
        return std::make_shared<selection_type>(*this, kept_.front());
    }
};
static_assert(
    std::is_same_v<own_policy::selection_type, ex::basic_selection_handle_t<own_policy, int>>);
static_assert(is_policy<own_policy> && is_served<own_policy>);

inline int give_back(int resource) { return resource; }

/// Submits in every way.
template <class Policy>
void use(Policy policy) {
    EXPECT_EQ(ex::get_resources(policy), resources{7});
    auto done = ex::submit(policy, give_back);
    ex::wait(done);
    EXPECT_EQ(ex::unwrap(done), 7);
    EXPECT_EQ(ex::unwrap(*ex::try_submit(policy, give_back)), 7);
    ex::submit_and_wait(policy, give_back);
    auto selection = ex::select(policy, give_back);
    EXPECT_EQ(ex::unwrap(selection), 7);
    EXPECT_EQ(ex::unwrap(ex::submit(selection, give_back)), 7);
    ex::wait(ex::get_submission_group(policy));
}

/// Uses the names that the assertions above have found.
inline void use_every_name() {
    use(fixed_resource{resources{7}});
    use(round_robin{resources{7}});
    use(dynamic_load{resources{7}});
    use(auto_tune{resources{7}});
    use(own_policy{resources{7}});
}

}  // namespace documented
