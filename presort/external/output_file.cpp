#include "presort/external/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "presort/core/error.h"
#include "presort/external/opened.h"

namespace presort::inline v0::external {

OutputFile::OutputFile(const std::string& path, uint64_t bytes)
    : file_(path), name_(path), bytes_(bytes) {
  struct stat status {};
  if (fstat(file(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw InputError(path + ": is not a regular file; results of --memory are files on a disk");
  }
  reserve(file(), name_, bytes);
  turn_to_direct(file());
}

void OutputFile::commit() {
  if (ftruncate(file(), static_cast<off_t>(bytes_)) != 0) {
    throw InputError(name_ + ": cannot be written: " + std::strerror(errno));
  }
  file_.commit();
}

}  // namespace presort::external
