// Transfers by threads, each of which carries out one pread or pwrite at a time.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include "presort/core/error.h"
#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::external {
namespace {

// Requests at the device at a time; more threads would cost memory and gain little
constexpr size_t kThreads = 16;

int64_t carry_out(const Transfer& transfer) {
  const auto offset = static_cast<off_t>(transfer.offset);
  ssize_t moved = 0;
  do {
    moved = transfer.kind == Transfer::Kind::read
                ? pread(transfer.file, transfer.data, transfer.bytes, offset)
                : pwrite(transfer.file, transfer.data, transfer.bytes, offset);
  } while (moved < 0 && errno == EINTR);
  return moved < 0 ? -errno : moved;
}

class ThreadTransfers : public Transfers {
 public:
  ThreadTransfers() {
    try {
      for (std::thread& thread : threads_) {
        thread = std::thread([this] { serve(); });
      }
    } catch (const std::system_error& error) {
      end();
      throw EnvironmentError(std::string("no thread for transfers can be started: ") +
                             error.what());
    }
  }
  ~ThreadTransfers() override { end(); }
  ThreadTransfers(const ThreadTransfers&) = delete;
  ThreadTransfers& operator=(const ThreadTransfers&) = delete;

  std::string means() const override { return "threads"; }

 protected:
  void submit(const Transfer& transfer, Ticket ticket) override {
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back({transfer, ticket});
    }
    has_work_.notify_one();
  }

  Done wait_for_any() override {
    std::unique_lock lock(mutex_);
    has_answer_.wait(lock, [this] { return !done_.empty(); });
    const Done done = done_.front();
    done_.pop_front();
    return done;
  }

 private:
  struct Asked {
    Transfer transfer;
    Ticket ticket;
  };

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      has_work_.wait(lock, [this] { return ends_ || !asked_.empty(); });
      if (asked_.empty()) {
        return;
      }
      const Asked asked = asked_.front();
      asked_.pop_front();
      lock.unlock();
      const int64_t result = carry_out(asked.transfer);
      lock.lock();
      done_.push_back({asked.ticket, result});
      has_answer_.notify_one();
    }
  }

  void end() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    has_work_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) {
        thread.join();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable has_answer_;
  std::deque<Asked> asked_;
  std::deque<Done> done_;
  bool ends_ = false;
  std::array<std::thread, kThreads> threads_;
};

}  // namespace

std::unique_ptr<Transfers> make_thread_transfers() {
  return std::make_unique<ThreadTransfers>();
}

}  // namespace presort::external
