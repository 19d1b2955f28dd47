// The buffers in which a core collects non-temporal stores until a line is whole. A line that is
// whole leaves at once; when all buffers are taken, the one opened first leaves as it is.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section 11.3.1,
//         and the optimisation manual, "Write combining": buffers are evicted whole or in parts, in
//         no documented order; first opened, first evicted is this model's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace presort::inline v0::sim {

class WriteCombining {
 public:
  // Makes `buffers` empty buffers. Requires: buffers >= 1; line_bytes a power of two
  WriteCombining(size_t buffers, uint64_t line_bytes)
      : words_((line_bytes + kWordBits - 1) / kWordBits),
        last_word_(line_bytes >= kWordBits ? ~uint64_t{0} : (uint64_t{1} << line_bytes) - 1),
        written_(buffers * words_),
        buffers_(buffers) {
    for (size_t i = 0; i < buffers; ++i) {
      buffers_[i].written = i * words_;
    }
  }

  struct Step {
    bool opened = false;                 // true: the added bytes are the first of their line
    bool whole = false;                  // true: the added bytes complete their line, which leaves
    std::optional<uint64_t> pushed_out;  // line whose buffer is written incomplete to make room
  };

  // Adds bytes of a line. Requires: 0 < bytes, offset + bytes <= line_bytes
  Step add(uint64_t line, uint64_t offset, uint64_t bytes) {
    Step step;
    size_t at = find(line);
    if (at == open_) {
      step.opened = true;
      if (open_ == buffers_.size()) {
        step.pushed_out = buffers_.front().line;
        erase(0);
      }
      at = open_++;
      buffers_[at].line = line;
      std::fill_n(mask_of(at), words_, 0);
    }
    mark(mask_of(at), offset, offset + bytes);
    step.whole = is_whole(mask_of(at));
    if (step.whole) {
      erase(at);
    }
    return step;
  }

  // Frees the buffer of a line; false if the line has none.
  bool close(uint64_t line) {
    const size_t at = find(line);
    if (at == open_) {
      return false;
    }
    erase(at);
    return true;
  }

  bool empty() const { return open_ == 0; }

 private:
  static constexpr uint64_t kWordBits = 64;

  struct Buffer {
    uint64_t line = 0;
    size_t written = 0;  // index in written_ of this buffer's mask of written bytes
  };

  size_t find(uint64_t line) const {
    size_t at = 0;
    while (at < open_ && buffers_[at].line != line) {
      ++at;
    }
    return at;
  }
  uint64_t* mask_of(size_t at) { return written_.data() + buffers_[at].written; }

  // Sets the bits of bytes [begin, end) in a mask of written bytes.
  static void mark(uint64_t* mask, uint64_t begin, uint64_t end) {
    while (begin < end) {
      const uint64_t bit = begin % kWordBits;
      const uint64_t count = std::min(kWordBits - bit, end - begin);
      mask[begin / kWordBits] |= (~uint64_t{0} >> (kWordBits - count)) << bit;
      begin += count;
    }
  }
  bool is_whole(const uint64_t* mask) const {
    for (size_t i = 0; i + 1 < words_; ++i) {
      if (mask[i] != ~uint64_t{0}) {
        return false;
      }
    }
    return mask[words_ - 1] == last_word_;
  }
  void erase(size_t at) {
    const auto begin = buffers_.begin();
    std::rotate(begin + static_cast<std::ptrdiff_t>(at),
                begin + static_cast<std::ptrdiff_t>(at) + 1,
                begin + static_cast<std::ptrdiff_t>(open_));
    --open_;
  }

  size_t words_;        // 64-bit words of a buffer's mask
  uint64_t last_word_;  // value of a mask's last word when all bytes of the line are written
  std::vector<uint64_t> written_;  // masks of the buffers: a bit for each byte that was written
  // Buffers: the first open_ are in use, in the order in which they were opened; the others are
  // free.
  std::vector<Buffer> buffers_;
  size_t open_ = 0;
};

}  // namespace presort::sim
