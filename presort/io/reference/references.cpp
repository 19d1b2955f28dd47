#include "presort/io/reference/references.h"

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/plan/plan_keys.h"
#include "presort/core/problem_fields.h"
#include "presort/io/campaign/campaign_file.h"
#include "presort/io/reference/file_formats.h"
#include "presort/io/reference/table_markdown.h"

namespace presort::inline v0::io {
namespace {

// A sentence on how a page is made and kept current.
std::string made_by(const std::string& name, const std::string& tables) {
  return "This text is what `presort help " + name + "` prints, made of the tables in `" + tables +
         "`.\n\n";
}

constexpr char kMachineIntroduction[] =
    R"(A machine file is YAML: `presort: machine/1`, and the keys below. Unknown keys, values out of their range and geometry that contradicts itself are refused, with file, line and key. Keys of older versions are ignored, with a note.

```yaml
presort: machine/1
name: example            # the values are an example, not a measurement
cpu:
  clock: 2.5GHz
  cores: 2
  dispatchWidth: 4
  window: {entries: 224, stores: 56}
  caches:                # nearest first
    - {name: L1d, size: 32KiB, ways: 8, line: 64B, latency: 4cy, queue: 12}
    - {name: L2, size: 1MiB, ways: 16, line: 64B, latency: 14cy, queue: 16}
    - {name: L3, size: 36608KiB, ways: 11, line: 64B, fill: onEvict, latency: 70cy, sharedBy: 2, share: 0.3, hashed: true}
  prefetchers: [{level: L1d, kind: nextLine}, {level: L2, kind: stream, degree: 2, distance: 20}]
  tlb:
    - {name: L1dTLB, page: 4KiB, entries: 64, ways: 4}
    - {name: STLB, page: [4KiB, 2MiB], entries: 1536, ways: 12, latency: 9cy}
  walk: {walkers: 2, caches: {pde: 32, pdpte: 4}, entersAt: L1d, nested: {hostPage: 4KiB}}
memory: {latency: 120ns, rowHit: -25ns, channels: 6, banks: 16, rowSize: 8KiB, bandwidth: 100GB/s, perCoreBandwidth: 11GB/s}
```

- Counts are whole numbers: `1000`, `2^26`, `64Ki`, `1e6`. Sizes have a unit: `B`, `KiB`, `MiB`, `GiB`, `TiB`.
- Times are in cycles (`cy`) or seconds (`ns`, `us`, `ms`, `s`), whichever a key is listed in: cycles are of `cpu.clock`, in the sections `gpu` and `gpuHardware` of the `clock` there.
- Rates are bytes (`B/s` to `TB/s`, `KiB/s` to `GiB/s`) or events (`/s` to `T/s`) a second. Ratios are plain or in percent: `0.3`, `30%`.
- `presort compare --set KEY=VALUE` takes every key, with items of lists by name or counted from 0: `cpu.caches.L2.size`, `cpu.prefetchers.L2.stream.degree`, `cpu.prefetchers[1].degree`.

)";

constexpr char kProvenanceIntroduction[] = R"(
## `provenance`

Optional: free text with free keys, carried along. What a probe says of its values stands in the map `probed`; a key of the machine says there how certain its value is, any other key what was measured besides. Items of lists are named. Older files say the same in free text: `uncertainty.cpu.clock: 2%`, `quality.cpu.clock: good`, `measured.memory.readBandwidth: 18.4GB/s`; in JSON these are the keys of `provenance` still.

```yaml
provenance:
  source: probe
  date: 2026-11-21
  probed:
    cpu.clock: {uncertainty: 2%, quality: good}
    cpu.dispatchWidth: {quality: table}
    memory.readBandwidth: {value: 18.4GB/s, uncertainty: 8.3%, quality: fair}
```

)";

std::string machine_keys() {
  return "# Keys of machine files\n\n" + made_by("machine-keys", "presort/core/machine/fields/") +
         kMachineIntroduction + table_markdown(fields::kMachine, "", "The file itself") +
         kProvenanceIntroduction + "#" +
         table_markdown(fields::kProbedValue, "provenance.probed.KEY");
}

constexpr char kPlanIntroduction[] =
    R"(A plan says how a problem is computed. It is `KEY=VALUE,KEY=VALUE` on the command line (`--plan sortBits=9,pageSize=2MiB`), and a map of the same keys in files.

- A *pre-sort* partitions the inputs by the top bits of their labels. Each *part* then updates a small range of the buckets, which fits a cache.
- Keys that a plan leaves out keep their defaults. Keys that mean nothing for it are refused.
- The numbers listed are what is read at all. A problem may allow less; a plan beyond that is refused with the reason.
- A plan is for one device, which `--device` or the key `device` of a tuned file says. Keys of the same name mean what their device's table says.

)";

std::string plan_keys_text() {
  return "# Keys of plans\n\n" + made_by("plan-keys", "presort/core/plan/") + kPlanIntroduction +
         table_markdown(fields::kCpuPlan, "", "Plans of device cpu") + "\n" +
         table_markdown(fields::kGpuPlan, "", "Plans of device gpu");
}

constexpr char kProblemIntroduction[] =
    R"(A problem file is YAML: `presort: problem/1` and these keys, or a list of problems.

```yaml
presort: problem/1
problems:
  - {op: multireduce, n: 2^26, m: 2^20}
  - {op: scatter, n: 2^26, m: 2^22, dist: zipf:1, types: u32+f64}
```

Tuned files, plan grids and results have the same keys; in a plan grid `m` may be a list.

)";

std::string problem_keys() {
  return "# Keys of problems\n\n" + made_by("problem-keys", "presort/core/problem_fields.cpp") +
         kProblemIntroduction + table_markdown(fields::kProblem, "problem");
}

}  // namespace

const std::vector<Reference>& references() {
  static const std::vector<Reference> all = {
      {"machine-keys", "every key of a machine file", machine_keys},
      {"plan-keys", "every key of a plan", plan_keys_text},
      {"problem-keys", "every key of a problem", problem_keys},
      {"campaign-keys", "every key of a campaign file", campaign_keys_text},
      {"file-formats", "every file that is read or written", file_formats_text},
  };
  return all;
}

}  // namespace presort::io
