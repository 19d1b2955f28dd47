#include "presort/sim/trace/trace_writer.h"

#include <zstd.h>

#include <new>
#include <vector>

#include "presort/core/error.h"

namespace presort::inline v0::sim {

using namespace trace_code;

class TraceWriter::Compressor {
 public:
  explicit Compressor(Sink sink)
      : sink_(std::move(sink)), context_(ZSTD_createCCtx()), out_(ZSTD_CStreamOutSize()) {
    if (context_ == nullptr) {
      throw std::bad_alloc();
    }
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  ~Compressor() { ZSTD_freeCCtx(context_); }

  void write(std::string_view bytes, bool end) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    size_t left = 1;
    while (in.pos < in.size || (end && left > 0)) {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      left = ZSTD_compressStream2(context_, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) {
        // Zstd ran out of memory
        throw EnvironmentError(std::string("zstd: ") + ZSTD_getErrorName(left));
      }
      if (out.pos > 0) {
        sink_({out_.data(), out.pos});
      }
    }
  }

 private:
  Sink sink_;
  ZSTD_CCtx* context_;
  std::vector<char> out_;
};

TraceWriter::TraceWriter(Sink sink)
    : compressor_(std::make_unique<Compressor>(std::move(sink))), pending_(kMagic) {}

TraceWriter::~TraceWriter() = default;

void TraceWriter::write(std::span<const Access> records) {
  for (const Access& record : records) {
    encode(record);
  }
  flush(false);
}

void TraceWriter::finish() {
  pending_.push_back(static_cast<char>(kEndMark));
  put_varint(records_);
  flush(true);
}

void TraceWriter::flush(bool end) {
  constexpr size_t kEnough = size_t{1} << 16;
  if (end || pending_.size() >= kEnough) {
    compressor_->write(pending_, end);
    pending_.clear();
  }
}

void TraceWriter::put_varint(uint64_t value) {
  for (; value >= 128; value >>= 7) {
    pending_.push_back(static_cast<char>(value | 128));
  }
  pending_.push_back(static_cast<char>(value));
}

namespace {

bool valid(const Access& record) {
  const bool size_fits =
      record.kind == AccessKind::branch ? record.size <= 1 : record.size >= 1 && record.size <= 64;
  return size_fits && record.depends_on <= kLongestDependence &&
         record.data_depends_on <= kLongestDependence;
}

}  // namespace

void TraceWriter::encode(const Access& record) {
  if (!valid(record)) {
    throw Error("record " + std::to_string(records_) + " does not fit the trace format");
  }
  Predictions::Place& place = predictions_.place(record.instruction, record.kind);
  auto control = static_cast<uint8_t>(record.kind);
  const auto differs = [&](bool is_new, uint8_t bit) {
    control |= is_new ? bit : 0;
    return is_new;
  };
  const size_t start = pending_.size();
  pending_.push_back(0);
  if (differs(record.instruction != predictions_.next_instruction(), kNewInstruction)) {
    put_varint(zigzag(record.instruction - predictions_.last_instruction()));
  }
  if (differs(record.address != place.address + place.stride, kNewAddress)) {
    put_varint(zigzag(record.address - place.address));
  }
  if (differs(record.size != place.size, kNewSize)) {
    pending_.push_back(static_cast<char>(record.size));
  }
  if (differs(record.micro_ops != place.micro_ops, kNewMicroOps)) {
    put_varint(record.micro_ops);
  }
  if (differs(
          record.depends_on != place.depends_on || record.data_depends_on != place.data_depends_on,
          kNewDependences)) {
    put_varint(record.depends_on);
    put_varint(record.data_depends_on);
  }
  pending_[start] = static_cast<char>(control);
  predictions_.update(record, place);
  ++records_;
}

}  // namespace presort::sim
