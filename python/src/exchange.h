// The part of DLPack's exchange API (version 1, from 1.3 on) that calls on tensors use. A class of
// tensors offers it as a capsule named "dlpack_exchange_api", its attribute
// __dlpack_c_exchange_api__: functions in C that describe a tensor and name the current stream, in
// tens of nanoseconds. Source: dlpack.h of DLPack 1.3, whose layout these structures have
#pragma once

#include <cstdint>

namespace presort::python {

constexpr const char* kExchangeCapsule = "dlpack_exchange_api";
constexpr uint32_t kExchangeVersion = 1;

constexpr int32_t kCudaDevice = 2;
enum class DtypeCode : uint8_t { integer = 0, unsignedInteger = 1, real = 2, bfloat = 4 };

struct ExchangeDevice {
  int32_t type;
  int32_t number;
};

struct ExchangeDtype {
  uint8_t code;  // DtypeCode, or another one
  uint8_t bits;
  uint16_t lanes;
};

// A tensor that its owner goes on owning. Strides are in elements; nullptr: in one piece
struct ExchangeTensor {
  void* data;
  ExchangeDevice device;
  int32_t dimensions;
  ExchangeDtype dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
};

struct ExchangeApi {
  uint32_t major;
  uint32_t minor;
  ExchangeApi* before;  // the same of an older version, or nullptr
  // Functions that make and own tensors, which are not called here
  void* allocate;
  void* own;
  void* to_object;
  // Describes a tensor of the class that offers this. Returns 0, or -1 with Python's error set. May
  // be nullptr
  int (*describe)(void* object, ExchangeTensor* out);
  // The current stream of a device. Returns as describe
  int (*current_stream)(int32_t device_type, int32_t device, void** out);
};

}  // namespace presort::python
