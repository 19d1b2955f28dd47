#include "presort/probe/load/load_watch.h"

#include <utility>

namespace presort::inline v0::probe {

LoadWatch::LoadWatch() : LoadWatch([cpus = allowed_cpus()] { return load_now(cpus); }) {}

LoadWatch::LoadWatch(Now now) : now_(std::move(now)), before_(now_()) {}

}  // namespace presort::probe
