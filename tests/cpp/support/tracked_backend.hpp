// SPDX-License-Identifier: Apache-2.0
// A user-defined backend with lazy reports, as in the documents.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "pointsman/backend/backend_base.hpp"
#include "pointsman/info/report.hpp"

namespace pointsman::test {

/// Reports lazily: a task's completion is reported at the next `lazy_report`. The selections kept
/// until then are copies, as in the documents' own backend.
template <class Resource>
class tracked_backend : public backend_base<Resource> {
    using base = backend_base<Resource>;

  public:
    template <class... ReportReqs>
    using scratch_t = no_scratch_t<ReportReqs...>;

    template <class... ReportReqs>
        requires(execution_info_v<ReportReqs> && ...)
    explicit tracked_backend(ReportReqs... reqs) : base{reqs...} {}
    template <class... ReportReqs>
    explicit tracked_backend(const std::vector<Resource>& resources, identity, ReportReqs... reqs)
        : base{resources, reqs...} {}

    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        report(selection, execution_info::task_submission);
        auto value = std::forward<F>(f)(unwrap(selection), std::forward<Args>(args)...);
        pending_.push_back([copy = selection] { report(copy, execution_info::task_completion); });
        return default_submission{std::move(value)};
    }

    void lazy_report() {
        for (auto& report_end : std::exchange(pending_, {})) {
            report_end();
        }
    }

  private:
    std::vector<std::function<void()>> pending_;
};

}  // namespace pointsman::test
