#include "probe/load_watch.h"

#include <utility>

namespace presort::probe {

LoadWatch::LoadWatch() : LoadWatch([cpus = allowed_cpus()] { return load_now(cpus); }) {}

LoadWatch::LoadWatch(Now now) : now_(std::move(now)), before_(now_()) {}

}  // namespace presort::probe
