// One bank of memory under the open-page policy: which row is open when, and when the next may be.
// Requests may come out of order of time, so the last few openings are kept in order of time, and a
// request takes the first gap between them that is long enough.
// Units: cycles. `cycle`: from one opening to the next (tRC). `opening`: how long a request waits
//        for a row that is not open (tRP + tRCD), at most `cycle`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace presort::inline v0::sim {

class Bank {
 public:
  struct Reply {
    // Time when the row is open, so that its columns can be read or written, cycles
    double column = 0;
    bool row_hit = false;
  };

  // Serves a request of time `t` for `row`. It is a row hit if the row is open at `t`, or is the
  // next to be opened and no other opening fits before.
  Reply request(uint64_t row, double t, double cycle, double opening) {
    size_t next = count_;  // index of the first kept opening that begins later than t
    while (next > 0 && kept_[next - 1].start > t) {
      --next;
    }
    if (next > 0 && kept_[next - 1].row == row) {
      return hit(kept_[next - 1], t, opening);
    }
    for (;; ++next) {
      const double start = std::max(t, next == 0 ? free_ : kept_[next - 1].free_at(cycle));
      if (next == count_ || start + cycle <= kept_[next].start) {
        insert(next, {start, start + opening, row}, cycle);
        return {start + opening, false};
      }
      if (kept_[next].row == row) {
        return hit(kept_[next], t, opening);
      }
    }
  }

 private:
  struct Opening {
    double start = 0;
    double used_until = 0;  // time of the row's last column access, cycles
    uint64_t row = 0;

    double free_at(double cycle) const { return std::max(start + cycle, used_until); }
  };
  // Number of openings kept. Few suffice: a core's requests are out of order by at most its
  // outstanding misses, spread over all banks.
  static constexpr size_t kKept = 4;

  static Reply hit(Opening& opened, double t, double opening) {
    const double column = std::max(t, opened.start + opening);
    opened.used_until = std::max(opened.used_until, column);
    return {column, true};
  }

  // Inserts an opening. A full bank forgets its earliest opening, before whose end there is then no
  // gap any more.
  void insert(size_t at, const Opening& opened, double cycle) {
    if (count_ == kKept) {
      if (at == 0) {
        free_ = opened.free_at(cycle);
        return;
      }
      free_ = kept_[0].free_at(cycle);
      std::copy(kept_.begin() + 1, kept_.begin() + at, kept_.begin());
      kept_[at - 1] = opened;
      return;
    }
    std::copy_backward(kept_.begin() + at, kept_.begin() + count_, kept_.begin() + count_ + 1);
    kept_[at] = opened;
    ++count_;
  }

  std::array<Opening, kKept> kept_;  // openings of rows, ascending by start time
  size_t count_ = 0;
  double free_ = 0;  // end of the latest opening that is no longer kept, cycles
};

}  // namespace presort::sim
