// Errors as values: a code that is also an exit code, and one line that says
// what happened and what to change.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "vgf_io_bench.h"

namespace vgfio {

// The closed list of outcomes is the C interface's; there is no second one.
using StatusCode = vgfio_status;

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string detail) : code_(code), detail_(std::move(detail)) {}

  static Status failed(std::string detail) { return {VGFIO_RUN_FAILED, std::move(detail)}; }
  static Status invalid(std::string detail) { return {VGFIO_INVALID_REQUEST, std::move(detail)}; }
  static Status unsupported(std::string detail) { return {VGFIO_UNSUPPORTED, std::move(detail)}; }

  bool ok() const { return code_ == VGFIO_OK; }
  StatusCode code() const { return code_; }
  // One line without a full stop at the end; empty if ok().
  const std::string& detail() const { return detail_; }

  // The same outcome, with "context: " in front of the detail.
  Status with_context(const std::string& context) const {
    return ok() ? *this : Status(code_, context + ": " + detail_);
  }

 private:
  StatusCode code_ = VGFIO_OK;
  std::string detail_;
};

// A value, or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Status status) : state_(std::move(status)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }
  Status status() const { return ok() ? Status() : std::get<Status>(state_); }

  // Only where ok().
  T& operator*() { return std::get<T>(state_); }
  const T& operator*() const { return std::get<T>(state_); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  T take() { return std::move(std::get<T>(state_)); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace vgfio

// Leaves the function with the Status of `expression` unless that is ok.
#define VGFIO_RETURN_IF_ERROR(expression)                      \
  do {                                                         \
    if (::vgfio::Status vgfio_status_ = (expression); !vgfio_status_.ok()) { \
      return vgfio_status_;                                    \
    }                                                          \
  } while (false)

#define VGFIO_CONCAT_INNER(a, b) a##b
#define VGFIO_CONCAT(a, b) VGFIO_CONCAT_INNER(a, b)

// Declares `declaration` from the value of the Result `expression`, or leaves
// the function with its Status.
#define VGFIO_ASSIGN_OR_RETURN(declaration, expression) \
  VGFIO_ASSIGN_OR_RETURN_INNER(VGFIO_CONCAT(vgfio_result_, __LINE__), declaration, expression)
#define VGFIO_ASSIGN_OR_RETURN_INNER(result, declaration, expression) \
  auto result = (expression);                                         \
  if (!result.ok()) return result.status();                           \
  declaration = result.take()
