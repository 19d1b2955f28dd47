// Phases of large problems on a machine with a block device. A phase's time in memory comes from
// another PhaseSimulator, in closed form or by sampling; its waits for the device come from the
// pages that its items touch (page_run.h). The pages are those of
//   streams    inputs and partitioned outputs, touched every kPageStep items
//   buckets    the page of every input's bucket; in a part whose buckets' pages have all been
//              touched and fit into half of the page cache, of every 16th
// Phases whose items touch pages up to `whole_items` times are run from the first item to the last.
// Of longer ones a window is run: from a quarter of the items on (parts: from the first) until the
// page cache has been filled twice, at most to half of the items; then, timed, until the device has
// served kRequests requests. A window on parts whose buckets stay in memory has whole parts. No
// window touches pages more than 20 million times: of a page cache of more than 32 GiB the waits
// come out too short.
// Not modelled: pages of counts, positions and write buffers, which are few and used all the time;
// the order of flushes within kPageStep items; what the phase before left in memory. Where a pass
// has half as many output streams as memory has pages, its times are 12 to 16 % too long.
#pragma once

#include <cstdint>
#include <memory>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/predictor.h"

namespace presort::inline v0::predict {

// Most times that the items of a phase touch pages if it is run from the first to the last: once
// for each item or, in a histogram and a pass through write buffers, for each kPageStep items
inline constexpr uint64_t kWholeStoredItems = uint64_t{1} << 21;

// True if the waits of all phases of a plan are known here: multireduce, scatter and histogram by
// one thread, with one set of buckets, by the plain loop, in range passes or after a pre-sort in
// one pass, through write buffers without chunks or by the thesis' radix sort.
bool in_stored_phases(const Problem& problem, const CpuPlan& plan);

// Makes a PhaseSimulator that adds the waits for the block device to the times of `in_memory`,
// which is of the same machine without the device. Drains are simulated on the machine itself.
// `labels` are those of all inputs, from which pages are taken: a closed form gets others in its
// phases' inputs.
// Requires: machine.storage; phases are asked for only of plans for which in_stored_phases() holds
// Errors:   of phases: PlanError for a phase that no such plan has; Stopped
std::unique_ptr<PhaseSimulator> make_stored_phases(const Machine& machine,
                                                   const SimulationOptions& options,
                                                   const Problem& problem, PageSize page_size,
                                                   std::shared_ptr<const LabelSource> labels,
                                                   std::unique_ptr<PhaseSimulator> in_memory,
                                                   uint64_t whole_items = kWholeStoredItems);

}  // namespace presort::predict
