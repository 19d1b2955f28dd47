// The part of XLA's interface for calls of foreign functions that presort.jax uses: a handler is
// called with a frame that describes its arrays. Source: xla/ffi/api/c_api.h of jaxlib, version 0.5
// of the interface, whose layout these structures have. Fields behind those named here are left
// out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace presort::python::xla {

enum class Code : int { ok = 0, invalidArgument = 3, outOfRange = 11, internal = 13 };

// Types of elements. Others exist.
enum class Type : int {
  i32 = 4,
  i64 = 5,
  u32 = 8,
  u64 = 9,
  f16 = 10,
  f32 = 11,
  f64 = 12,
  bf16 = 16,
};

struct Error;    // made by Api::make_error; nullptr: none
struct Context;  // of one call

struct Extension {
  size_t struct_size;
  int type;  // 1: a question for the handler's version, MetadataExtension
  Extension* next;
};
constexpr int kMetadataExtension = 1;

struct Version {
  size_t struct_size;
  Extension* extensions;
  int major;
  int minor;
};

struct Metadata {
  size_t struct_size;
  Version version;
  uint32_t traits;  // 0: none
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

struct ErrorQuestion {
  size_t struct_size;
  Extension* extensions;
  const char* message;
  Code code;
};

struct StreamQuestion {
  size_t struct_size;
  Extension* extensions;
  Context* context;
  void* stream;  // the answer
};

struct Api {
  size_t struct_size;
  Extension* extensions;
  Version version;
  const void* internal;
  Error* (*make_error)(ErrorQuestion* question);
  void* error_details;
  void (*destroy_error)(void* question);
  void* register_handler;
  Error* (*stream)(StreamQuestion* question);
};

struct Buffer {
  size_t struct_size;
  Extension* extensions;
  Type type;
  void* data;
  int64_t dimensions;
  const int64_t* shape;
};

// Arrays of a call; kinds[i] is 1 for a buffer, which is then a Buffer at items[i].
struct Arrays {
  size_t struct_size;
  Extension* extensions;
  int64_t size;
  const int* kinds;
  void** items;
};
constexpr int kBufferKind = 1;

struct Text {
  const char* begin;
  size_t length;
};

struct Scalar {
  Type type;
  const void* value;
};

// Attributes of a call; kinds[i] is 3 for a Scalar at items[i].
struct Attributes {
  size_t struct_size;
  Extension* extensions;
  int64_t size;
  const int* kinds;
  const Text* const* names;
  void** items;
};
constexpr int kScalarKind = 3;

struct Frame {
  size_t struct_size;
  Extension* extensions;
  const Api* api;
  Context* context;
  int stage;
  Arrays arguments;
  Arrays results;
  Attributes attributes;
};

}  // namespace presort::python::xla
