// SPDX-License-Identifier: Apache-2.0
// Every exception type of the library, drawn as a tree.
#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "pointsman/clock.hpp"

namespace pointsman {

/// Root of the tree. It is a mix-in: each class below also derives from the standard exception named
/// beside it, so that a handler for either catches it.
///
///     error
///     ├── empty_resource_set      std::invalid_argument   a policy was given nothing to choose from
///     ├── resource_index_error    std::out_of_range       an index is outside the set of resources
///     ├── invalid_option          std::invalid_argument   an option or argument has an invalid value
///     ├── unsatisfied_reporting   std::runtime_error      no resource can report what a policy needs
///     ├── not_initialized         std::logic_error        a deferred policy was used too early
///     ├── forked_process          std::runtime_error      a forked child used its parent's threads
///     ├── no_executor_fits        std::runtime_error      every executor was refused
///     ├── empty_executor          std::logic_error        an any_executor without an executor was used
///     ├── submit_timeout          std::runtime_error      no resource became free in time
///     ├── submit_stopped          std::runtime_error      a stop was requested during the wait
///     ├── unsuitable_resources    std::runtime_error      no resource can run the task
///     ├── no_healthy_resource     std::runtime_error      every suitable resource is in quarantine
///     ├── unknown_kind            std::runtime_error      a frozen policy has no record of a kind of task
///     ├── foreign_resource        std::invalid_argument   a rule chose a resource outside the set
///     ├── unexpected_report       std::logic_error        an event was reported that cannot occur
///     ├── work_cancelled          std::runtime_error      the work was cancelled before it began
///     ├── time_limit_exceeded     std::runtime_error      work took longer than it was allowed to
///     ├── trace_in_progress       std::logic_error        a trace began while another one records
///     └── opencl::error           std::runtime_error      an OpenCL call or command failed
///         └── opencl::build_error                         a program did not compile
class error {
  public:
    virtual ~error() = default;

  protected:
    error() = default;
    error(const error&) = default;
    error& operator=(const error&) = default;
};

/// A second mix-in, of the exceptions that are the fault of the resource on which work ran, and not of the
/// work: such a resource may be left out of later choices. Derive exceptions of your own resources from it.
class resource_failure {
  public:
    virtual ~resource_failure() = default;
    /// Returns false if this object is the work's fault after all.
    [[nodiscard]] virtual bool is_resource_failure() const noexcept { return true; }

  protected:
    resource_failure() = default;
    resource_failure(const resource_failure&) = default;
    resource_failure& operator=(const resource_failure&) = default;
};

/// A third mix-in, of the exceptions of work for which its resource had no memory: that is no fault of the
/// resource, and it may have some when other work there has ended. Derive exceptions of your own resources from it.
class out_of_memory {
  public:
    virtual ~out_of_memory() = default;
    /// Returns false if this object has another cause after all.
    [[nodiscard]] virtual bool is_out_of_memory() const noexcept { return true; }

  protected:
    out_of_memory() = default;
    out_of_memory(const out_of_memory&) = default;
    out_of_memory& operator=(const out_of_memory&) = default;
};

/// A policy was initialised with an empty set of resources.
struct empty_resource_set : std::invalid_argument, error {
    empty_resource_set()
        : std::invalid_argument{
              "the set of resources is empty (size 0): pass at least one "
              "resource, or install what default_universe looks for"} {}
};

/// An index or offset lies outside the set of resources.
struct resource_index_error : std::out_of_range, error {
    template <std::integral Index>
    resource_index_error(Index index, std::size_t size)
        : std::out_of_range{"resource index " + std::to_string(index) + " is outside a set of " +
                            std::to_string(size) + ": pass an index from 0 to " +
                            std::to_string(size - 1)} {}
};

/// An option, or an argument of a resource or policy, has a value that cannot be used.
struct invalid_option : std::invalid_argument, error {
    using std::invalid_argument::invalid_argument;
};

/// After filtering, no resource is left that can report everything the policy needs.
struct unsatisfied_reporting : std::runtime_error, error {
    using std::runtime_error::runtime_error;
};

/// A policy made with `deferred_initialization` was used before `initialize`.
struct not_initialized : std::logic_error, error {
    not_initialized()
        : std::logic_error{
              "the policy has no resources yet: call initialize() before the first "
              "submission"} {}
};

/// A forked child used an object of its parent whose threads do not exist in the child.
struct forked_process : std::runtime_error, error, resource_failure {
    explicit forked_process(const char* what)
        : std::runtime_error{std::string{what} +
                             " was in use when this process was forked, and its threads are not in "
                             "the child: start a new process in place of a fork (in Python with "
                             "multiprocessing.get_context(\"spawn\")), or fork before the first "
                             "use"} {}
};

/// None of the executors given to `best_fit` can run the function.
struct no_executor_fits : std::runtime_error, error {
    /// `refusals` has one line for each executor: its name and why it was refused.
    explicit no_executor_fits(const std::string& refusals)
        : std::runtime_error{
              "no executor fits:\n" + refusals +
              "fix one of these causes, or add inline_executor, which every build has"} {}
};

/// An `any_executor` that holds nothing was used.
struct empty_executor : std::logic_error, error {
    empty_executor()
        : std::logic_error{
              "the any_executor holds no executor: assign one to it, such as "
              "inline_executor<>{}, before the first use"} {}
};

/// No resource became free within the timeout of a `submit`; the function was not called.
struct submit_timeout : std::runtime_error, error {
    explicit submit_timeout(clock::duration timeout)
        : std::runtime_error{"no resource became free within " + std::to_string(timeout.count()) +
                             " ns: raise submit_options::timeout, or add resources"} {}
};

/// A stop was requested while a `submit` waited for a free resource; the function was not called.
struct submit_stopped : std::runtime_error, error {
    submit_stopped()
        : std::runtime_error{
              "the submission was stopped while it waited for a free resource: "
              "submit again with a stop token that has not been used"} {}
};

/// The task refuses every resource that the policy offers; the message gives the reason.
struct unsuitable_resources : std::runtime_error, error {
    using std::runtime_error::runtime_error;
};

/// Every resource that can run the task is in quarantine, as `resource_health` describes.
struct no_healthy_resource : std::runtime_error, error {
    /// `failures` has one line for each resource: its name, its last error and when it is tried again.
    explicit no_healthy_resource(const std::string& failures)
        : std::runtime_error{"no resource is healthy:\n" + failures +
                             "mend what fails, or submit again when a resource is tried again"} {}
};

/// A frozen policy has neither a record of a kind of task nor a default resource.
struct unknown_kind : std::runtime_error, error {
    explicit unknown_kind(const std::string& key)
        : std::runtime_error{"there is no record of the kind of task " + key +
                             ", and the policy is frozen: run it with a learning policy and the "
                             "same history first, or name a default resource"} {}
};

/// The rule of a user-defined policy chose a resource that is not in the policy's set.
struct foreign_resource : std::invalid_argument, error {
    using std::invalid_argument::invalid_argument;
};

/// An event was reported to a selection for which it cannot have occurred.
struct unexpected_report : std::logic_error, error {
    using std::logic_error::logic_error;
};

/// Work that runs longer than its time limit, as `recovery_options` describe.
struct time_limit_exceeded : std::runtime_error, error, resource_failure {
    /// `limit` is written with its unit. `had_begun` is false if the work still waited for its resource.
    time_limit_exceeded(const std::string& limit, bool had_begun)
        : std::runtime_error{had_begun
                                 ? "the work has run for more than " + limit +
                                       ": raise time_limit, or look at what its resource waits for"
                                 : "the work had not begun within " + limit +
                                       ": raise time_limit, or set max_outstanding"},
          had_begun_{had_begun} {}

    /// Returns false if the work still waited for its resource.
    [[nodiscard]] bool had_begun() const noexcept { return had_begun_; }
    [[nodiscard]] bool is_resource_failure() const noexcept override { return had_begun_; }

  private:
    bool had_begun_;
};

/// Thrown by the wait for work that was cancelled before it began.
struct work_cancelled : std::runtime_error, error {
    work_cancelled()
        : std::runtime_error{
              "the work was cancelled before it began: submit it again if it is "
              "still needed"} {}
};

/// A trace began while another one records.
struct trace_in_progress : std::logic_error, error {
    trace_in_progress()
        : std::logic_error{
              "a trace is being recorded already, and a process records one at a time: end it "
              "first, or "
              "let one trace cover both parts"} {}
};

}  // namespace pointsman
