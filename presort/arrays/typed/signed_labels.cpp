#include "presort/arrays/typed/signed_labels.h"

#include <cstdint>
#include <string>

namespace presort::inline v0::arrays {

namespace {

struct NegativeLabelError : LabelError {
  NegativeLabelError(const LabelError& error, int64_t found_label)
      : LabelError(error),
        message("label " + std::to_string(found_label) + " at index " +
                std::to_string(error.index) + " is negative") {}
  const char* what() const noexcept override { return message.c_str(); }
  std::string message;
};

}  // namespace

void throw_with_sign(ScalarType labels, const LabelError& error) {
  int64_t label = 0;
  if (labels == ScalarType::i32) {
    label = static_cast<int32_t>(error.label);
  } else if (labels == ScalarType::i64) {
    label = static_cast<int64_t>(error.label);
  }
  if (label < 0) {
    throw NegativeLabelError(error, label);
  }
  throw error;
}

}  // namespace presort::arrays
