// Transfers by io_uring. Source: liburing 2.3.
#include <liburing.h>

#include <cerrno>
#include <cstring>

#include "presort/core/error.h"
#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::external {
namespace {

class UringTransfers : public Transfers {
 public:
  UringTransfers() : is_open_(io_uring_queue_init(kMostUnderWay, &ring_, 0) == 0) {}
  ~UringTransfers() override {
    if (is_open_) {
      io_uring_queue_exit(&ring_);
    }
  }
  UringTransfers(const UringTransfers&) = delete;
  UringTransfers& operator=(const UringTransfers&) = delete;

  bool is_open() const { return is_open_; }
  std::string means() const override { return "io_uring"; }

 protected:
  void submit(const Transfer& transfer, Ticket ticket) override {
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    const auto bytes = static_cast<unsigned>(transfer.bytes);
    if (transfer.kind == Transfer::Kind::read) {
      io_uring_prep_read(entry, transfer.file, transfer.data, bytes, transfer.offset);
    } else {
      io_uring_prep_write(entry, transfer.file, transfer.data, bytes, transfer.offset);
    }
    io_uring_sqe_set_data64(entry, ticket);
    int submitted = 0;
    do {
      submitted = io_uring_submit(&ring_);
    } while (submitted == -EINTR || submitted == -EAGAIN);
    if (submitted < 0) {
      throw EnvironmentError(std::string("io_uring takes no request: ") +
                             std::strerror(-submitted));
    }
  }

  Done wait_for_any() override {
    io_uring_cqe* entry = nullptr;
    int error = 0;
    do {
      error = io_uring_wait_cqe(&ring_, &entry);
    } while (error == -EINTR);
    if (error < 0) {
      throw EnvironmentError(std::string("io_uring gives no answer: ") + std::strerror(-error));
    }
    const Done done{static_cast<Ticket>(io_uring_cqe_get_data64(entry)), entry->res};
    io_uring_cqe_seen(&ring_, entry);
    return done;
  }

 private:
  io_uring ring_{};
  bool is_open_;
};

}  // namespace

std::unique_ptr<Transfers> make_uring_transfers() {
  auto transfers = std::make_unique<UringTransfers>();
  if (!transfers->is_open()) {
    return nullptr;
  }
  return transfers;
}

}  // namespace presort::external
