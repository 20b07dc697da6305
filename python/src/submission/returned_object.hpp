// SPDX-License-Identifier: Apache-2.0
// What a submitted Python callable returned, as a waitable of the engine.
#pragma once

#include <memory>

#include "fairlead/submission/waitable_traits.hpp"
#include "gil.hpp"
#include "submission/native_waitable.hpp"

namespace fairlead::python {

/// A Python object and how its completion is seen, found out once:
/// a native waitable (`__fairlead_waitable__`, or adopted) or a future (`add_done_callback`) calls
/// back; an object with `done()` is polled; one with `wait()` or `result()` can be waited for; anything
/// else is complete at return. Types of `fairlead.register_waitable`, awaitables and what has a
/// `synchronize()` are seen through the object that stands for them (`fairlead.waitable`).
class returned_object {
  public:
    /// GIL held.
    explicit returned_object(py::object value);

    [[nodiscard]] const shared_object& value() const noexcept { return value_; }
    [[nodiscard]] waitable_rung rung() const noexcept { return rung_; }

    /// With or without the GIL. Throws `py::error_already_set` when the object's own method raises.
    void wait() const;
    [[nodiscard]] bool is_ready() const;
    /// The object has to stay where it is, and to live until `callback` is called.
    void on_completion(completion_callback callback) const;
    [[nodiscard]] completion outcome() const noexcept;

    /// GIL held. The object's `result()` where it has one, else the object itself. Throws the error of
    /// native work that failed. Call it when the work is over.
    [[nodiscard]] py::object result() const;

  private:
    void find_native();
    [[nodiscard]] py::object seen_through() const;
    static void called_by_driver(void* context, const completion& end) noexcept;

    shared_object value_;
    shared_object stand_in_;
    waitable_rung rung_ = waitable_rung::complete_at_return;
    const native_waitable* native_ = nullptr;
    std::shared_ptr<void> handle_;
    mutable completion_callback told_{};
};

}  // namespace fairlead::python

namespace fairlead {
template <>
struct waitable_traits<python::returned_object> {
    using T = python::returned_object;
    static void wait(T& work) { work.wait(); }
    static bool is_ready(T& work) { return work.is_ready(); }
    static void on_completion(T& work, completion_callback callback) {
        work.on_completion(callback);
    }
    static completion outcome(T& work) { return work.outcome(); }
    static waitable_rung rung(const T& work) noexcept { return work.rung(); }
};
}  // namespace fairlead
