// The scatter or sum that a program writes without presort: labels and values are read in order,
// and buckets are reached through mmap of their file, with at most a given part of them in memory.
// When so many pages were touched anew, all are written to the device and dropped, as a full page
// cache would do one by one.
//   direct_scatter LABELS VALUES OUT M PAGES_BYTES SECONDS
// Prints the inputs that were done in SECONDS, ns per input, and the pages that were read.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "presort/core/text/units.h"

namespace {

constexpr uint64_t kPage = 4096;

// The file of the buckets, mapped.
class Buckets {
 public:
  Buckets(const char* path, uint64_t m)
      : file_(open(path, O_RDWR | O_CREAT, 0600)),
        bytes_((m * 4 + kPage - 1) / kPage * kPage),
        is_here_(bytes_ / kPage) {
    if (file_ < 0 || posix_fallocate(file_, 0, static_cast<off_t>(bytes_)) != 0) {
      std::perror(path);
      std::exit(1);
    }
    map();
    drop();
  }

  uint32_t& at(uint64_t k) {
    const uint64_t page = k * 4 / kPage;
    here_ += !is_here_[page];
    read_ += !is_here_[page];
    is_here_[page] = true;
    return data_[k];
  }
  uint64_t bytes_here() const { return here_ * kPage; }
  uint64_t pages_read() const { return read_; }

  // Writes what was changed, and takes all pages out of memory.
  void drop() {
    munmap(data_, bytes_);
    fdatasync(file_);
    posix_fadvise(file_, 0, 0, POSIX_FADV_DONTNEED);
    is_here_.assign(is_here_.size(), false);
    here_ = 0;
    map();
  }

 private:
  void map() {
    void* data = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (data == MAP_FAILED) {
      std::perror("mmap");
      std::exit(1);
    }
    madvise(data, bytes_, MADV_RANDOM);
    data_ = static_cast<uint32_t*>(data);
  }

  int file_;
  uint64_t bytes_;
  std::vector<bool> is_here_;
  uint32_t* data_ = nullptr;
  uint64_t here_ = 0;
  uint64_t read_ = 0;
};

}  // namespace

int main(int count, char** words) {
  if (count != 7) {
    std::fprintf(stderr, "usage: direct_scatter LABELS VALUES OUT M PAGES_BYTES SECONDS\n");
    return 2;
  }
  std::ifstream labels(words[1], std::ios::binary);
  std::ifstream values(words[2], std::ios::binary);
  Buckets buckets(words[3], presort::parse_count("M", words[4]));
  const uint64_t most = presort::parse_bytes("PAGES_BYTES", words[5]);
  const double seconds = std::strtod(words[6], nullptr);
  std::vector<uint32_t> block[2] = {std::vector<uint32_t>(1024), std::vector<uint32_t>(1024)};
  const auto begin = std::chrono::steady_clock::now();
  double spent = 0;
  uint64_t done = 0;
  while (spent < seconds) {
    constexpr std::streamsize kBytes = 1024 * 4;
    if (!labels.read(reinterpret_cast<char*>(block[0].data()), kBytes) ||
        !values.read(reinterpret_cast<char*>(block[1].data()), kBytes)) {
      break;
    }
    for (size_t j = 0; j < 1024; ++j) {
      buckets.at(block[0][j]) += block[1][j];
      if (buckets.bytes_here() >= most) {
        buckets.drop();
      }
    }
    done += 1024;
    spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  buckets.drop();
  spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%llu inputs in %.1f s: %.1f ns per input; %llu pages read\n",
              static_cast<unsigned long long>(done), spent, spent * 1e9 / static_cast<double>(done),
              static_cast<unsigned long long>(buckets.pages_read()));
  return 0;
}
