// Arrays and attributes of a call by XLA (xla.h), looked at and checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "presort/core/error.h"
#include "xla.h"

namespace presort::python::xla {

// An array of one or two dimensions, in one piece
struct Array {
  void* data = nullptr;
  Type type = Type::f32;
  uint64_t length = 0;
  uint64_t columns = 1;
  bool has_rows = false;
};

// Array `index` of the arguments or of the results.
// Errors: InputError for one that is not there, or has another number of dimensions
inline Array array_at(const Arrays& arrays, int64_t index) {
  if (index >= arrays.size || arrays.kinds[index] != kBufferKind) {
    throw InputError("array " + std::to_string(index) + ": not found");
  }
  const auto& buffer = *static_cast<const Buffer*>(arrays.items[index]);
  if (buffer.dimensions < 1 || buffer.dimensions > 2) {
    throw InputError("array " + std::to_string(index) + ": found " +
                     std::to_string(buffer.dimensions) + " dimensions, accepted: 1 or 2");
  }
  return {.data = buffer.data,
          .type = buffer.type,
          .length = static_cast<uint64_t>(buffer.shape[0]),
          .columns = buffer.dimensions == 2 ? static_cast<uint64_t>(buffer.shape[1]) : 1,
          .has_rows = buffer.dimensions == 2};
}

// Attribute `name`, a number of 32 bits. Errors: InputError if there is none
inline int32_t number_of(const Attributes& attributes, std::string_view name) {
  for (int64_t i = 0; i < attributes.size; ++i) {
    const Text& text = *attributes.names[i];
    if (std::string_view(text.begin, text.length) == name && attributes.kinds[i] == kScalarKind) {
      const auto& scalar = *static_cast<const Scalar*>(attributes.items[i]);
      if (scalar.type == Type::i32) {
        return *static_cast<const int32_t*>(scalar.value);
      }
    }
  }
  throw InputError(std::string(name) + ": not found");
}

// Answers XLA's question for the version of a handler, which is that of XLA itself: the fields that
// are used here have not changed since version 0.0. False: the frame is a call.
inline bool is_question(const Frame& frame) {
  const Extension* extension = frame.extensions;
  if (extension == nullptr || extension->type != kMetadataExtension) {
    return false;
  }
  Metadata& metadata = *reinterpret_cast<const MetadataExtension*>(extension)->metadata;
  metadata.version.major = frame.api->version.major;
  metadata.version.minor = frame.api->version.minor;
  metadata.traits = 0;
  return true;
}

inline Error* error_of(const Frame& frame, Code code, const char* message) {
  ErrorQuestion question{
      .struct_size = sizeof question, .extensions = nullptr, .message = message, .code = code};
  return frame.api->make_error(&question);
}

}  // namespace presort::python::xla
