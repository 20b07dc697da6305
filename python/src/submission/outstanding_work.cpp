// SPDX-License-Identifier: Apache-2.0
// Links pending work, and takes references to the work of one group.
#include "submission/outstanding_work.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "submission/returned_object.hpp"

namespace pointsman::python {

outstanding_work& outstanding_work::instance() {
    static std::atomic<outstanding_work*> current{new outstanding_work};
    outstanding_work* known = current.load(std::memory_order_acquire);
    if (known->mark_.is_stale()) [[unlikely]] {
        auto made = std::make_unique<outstanding_work>();
        if (current.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) {
            known = made.release();
        }
    }
    return *known;
}

void outstanding_work::entry::join(const binding::submission_group_state& group) {
    group_ = group.kept();
    auto& all = instance();
    list_ = &all;
    const std::lock_guard lock{all.mutex_};
    next_ = all.first_;
    link_ = &all.first_;
    if (next_ != nullptr) {
        next_->link_ = &next_;
    }
    all.first_ = this;
}

void outstanding_work::entry::leave() noexcept {
    if (list_ == nullptr || list_->mark_.is_stale()) {
        return;
    }
    const std::lock_guard lock{list_->mutex_};
    if (link_ == nullptr) {
        return;
    }
    *link_ = next_;
    if (next_ != nullptr) {
        next_->link_ = link_;
    }
    link_ = nullptr;
}

std::vector<binding::ref<pending_work>> outstanding_work::of(
    const binding::submission_group_state& group) {
    const std::weak_ptr<const void> wanted = group.kept();
    std::vector<binding::ref<pending_work>> found;
    const std::lock_guard lock{mutex_};
    for (entry* each = first_; each != nullptr; each = each->next_) {
        if (!each->group_.owner_before(wanted) && !wanted.owner_before(each->group_)) {
            // empty if the work is being destroyed by a thread that waits for the lock
            if (auto work =
                    binding::ref<pending_work>::share_if_alive(static_cast<pending_work*>(each))) {
                found.push_back(std::move(work));
            }
        }
    }
    return found;
}

}  // namespace pointsman::python
