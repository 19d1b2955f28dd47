// The section `storage` of a machine file:
//   storage:                # optional: without it memory holds everything
//     kind: ssd             # disk|ssd
//     pageCache: 1GiB       # of main memory
//     pageSize: 4KiB        # optional, 4KiB
//     readAhead: 128KiB     # optional, 128KiB: most that is fetched ahead of a sequential reader
//     writeCluster: 1MiB    # optional, 1MiB: most neighbouring dirty pages written at a time
//     faults: 1             # optional, 1: page faults outstanding
//     queueDepth: 32
//     latency: 50us         # optional, 0: of a request, besides positioning and transfer
//     requestTime: 13us     # optional, 0: the device serves no request in less
//     readBandwidth: 500MB/s
//     writeBandwidth: 410MB/s
//     seek: 8.5ms           # disk: average
//     rotation: 8.33ms      # disk: a whole turn
//     eraseBlock: 2MiB      # ssd
//     overProvisioning: 7%  # ssd: spare flash / flash that the host sees
#pragma once

#include <string>

#include "presort/core/machine/storage.h"
#include "presort/io/json/result_json.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {

// Times in cycles are of `clock_hz`. Errors: InputError
Storage read_storage(const ValueReader& value, double clock_hz);

// The section as text that reads back to an equal Storage, ends with a newline.
std::string storage_text(const Storage& storage);

Json storage_json(const Storage& storage);

}  // namespace presort::io
