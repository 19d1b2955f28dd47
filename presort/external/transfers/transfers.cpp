#include "presort/external/transfers/transfers.h"

#include "presort/core/error.h"

namespace presort::inline v0::external {

Transfers::Ticket Transfers::start(const Transfer& transfer) {
  while (under_way_ == kMostUnderWay) {
    reap();
  }
  if (unused_.empty()) {
    unused_.push_back(static_cast<Ticket>(states_.size()));
    states_.emplace_back();
  }
  const Ticket ticket = unused_.back();
  unused_.pop_back();
  states_[ticket] = {transfer, {}, false};
  submit(transfer, ticket);
  ++under_way_;
  return ticket;
}

Outcome Transfers::finish(Ticket ticket) {
  while (!states_[ticket].is_done) {
    reap();
  }
  unused_.push_back(ticket);
  return states_[ticket].outcome;
}

// Waits for a transfer. A write that moved a part of its bytes goes on with the others; then the
// system says why, if it cannot. A short read has reached the end of the file.
void Transfers::reap() {
  const Done done = wait_for_any();
  State& state = states_[done.ticket];
  if (done.result < 0) {
    state.outcome.error = static_cast<int>(-done.result);
  } else {
    const auto moved = static_cast<size_t>(done.result);
    state.outcome.bytes += moved;
    if (state.rest.kind == Transfer::Kind::write && moved > 0 && moved < state.rest.bytes) {
      state.rest.offset += moved;
      state.rest.data += moved;
      state.rest.bytes -= moved;
      submit(state.rest, done.ticket);
      return;
    }
  }
  state.is_done = true;
  --under_way_;
}

std::unique_ptr<Transfers> make_transfers(Means means) {
  if (means != Means::threads) {
    if (auto uring = make_uring_transfers()) {
      return uring;
    }
    if (means == Means::uring) {
      throw EnvironmentError(
          "io_uring is not there: presort was built without liburing, or the "
          "kernel forbids it");
    }
  }
  return make_thread_transfers();
}

}  // namespace presort::external
