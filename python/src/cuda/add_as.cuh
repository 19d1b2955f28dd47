// One call of gpu::multireduce on untyped arrays. Included by the sources that instantiate it.
#pragma once

#include <span>

#include "presort/gpu/calls.cuh"
#include "python/src/cuda/add.cuh"

namespace presort::python {

template <class Label, class Value>
void add_as(const AddCall& call) {
  gpu::multireduce(std::span(static_cast<const Label*>(call.labels), call.n),
                   std::span(static_cast<const Value*>(call.values), call.n),
                   std::span(static_cast<Value*>(call.out), call.m), presort::Sum<Value>{},
                   {.stream = call.stream, .checks_labels = call.checked});
}

}  // namespace presort::python
