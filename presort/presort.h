// All of presort that a program on the CPU calls:
//   presort::multireduce(labels, values, sums);     // and scatter, gather, histogram, multiscan, …
// cpu/choose.h tells what these calls take and give, status.h how to do without exceptions. Each
// operation's own header (cpu/multireduce.h, …) has the call that takes its plan, scratch and
// threads; cpu/segmented.h those on consecutive segments. On a GPU: gpu/multireduce.cuh, ….
#pragma once

#include "presort/cpu/choose.h"
#include "presort/cpu/segmented.h"
#include "presort/status.h"
