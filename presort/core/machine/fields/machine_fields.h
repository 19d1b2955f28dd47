// The field tables of a machine, one for each struct that a machine file has a map for. From them
// follow machine files, the JSON of a machine, --set, range checks, what a probe compares, and
// docs/reference/machine-keys.md. A new key is a member of a struct and a row of its table. The
// bounds of ranges lie far beyond hardware that exists; they keep a simulation of any machine
// short, small and finite. Rules that join several keys (a size is a multiple of ways and line) are
// in core/machine/check/, what a machine takes in all in core/machine/machine_state.h.
#pragma once

#include "presort/core/fields/field.h"

namespace presort::inline v0::fields {

extern const FieldTable kMachine;  // table of all keys of a Machine

// Parts of kMachine, the field table of a machine; behind each, the struct that its rows belong to.
extern const FieldTable kCpu;  // field table of keys that are members of Machine itself
extern const FieldTable kCoreCosts;
extern const FieldTable kWindow;
extern const FieldTable kTeam;
extern const FieldTable kCacheLevel;
extern const FieldTable kPrefetcher;
extern const FieldTable kTlbLevel;
extern const FieldTable kPageWalk;
extern const FieldTable kNuma;
extern const FieldTable kMemory;
extern const FieldTable kStorage;
extern const FieldTable kGpu;
extern const FieldTable kGpuCeilings;  // field table of the GPU's measured ceilings, members of Gpu
extern const FieldTable kGpuHardware;
extern const FieldTable kGpuShared;  // this and the next four: parts of GpuHardware
extern const FieldTable kGpuL1;
extern const FieldTable kGpuL2;
extern const FieldTable kGpuDeviceMemory;
extern const FieldTable kGpuTlb;

// Fields of a measured value: what a probe notes about one key. The key itself is not in the table.
extern const FieldTable kProbedValue;

}  // namespace presort::fields
