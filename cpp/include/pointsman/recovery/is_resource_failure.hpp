// SPDX-License-Identifier: Apache-2.0
// Classifies exceptions: is the resource at fault, or had it no memory, or is it the work?
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "pointsman/error.hpp"

namespace pointsman {

/// Returns true if `error` is the fault of the resource on which the work ran: an exception that derives
/// from `resource_failure` and says so, such as OpenCL's errors of a device, context or queue that no longer
/// works, `time_limit_exceeded` and `forked_process`.
[[nodiscard]] inline bool is_resource_failure(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const resource_failure& failure) {
        return failure.is_resource_failure();
    } catch (...) {
        return false;
    }
}

/// Returns true if the resource on which the work ran had no memory for it: an exception that derives from
/// `out_of_memory` and says so, such as OpenCL's errors of a buffer that does not fit.
[[nodiscard]] inline bool is_out_of_memory(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const out_of_memory& lack) {
        return lack.is_out_of_memory();
    } catch (...) {
        return false;
    }
}

/// A function that replaces `is_resource_failure`. Called from any thread; it must not throw.
using failure_test = std::function<bool(const std::exception_ptr&)>;

namespace detail {
/// Returns the text of an exception.
[[nodiscard]] inline std::string text_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception that does not derive from std::exception";
    }
}
/// Returns false for the error of work that ended before it began.
[[nodiscard]] inline bool had_begun(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const work_cancelled&) {
        return false;
    } catch (const time_limit_exceeded& late) {
        return late.had_begun();
    } catch (...) {
        return true;
    }
}
}  // namespace detail

}  // namespace pointsman
