// The file of a run's result: hidden until it is complete, then it replaces what had its name.
#pragma once

#include <cstdint>
#include <string>

#include "presort/io/files/atomic_file.h"

namespace presort::inline v0::external {

class OutputFile {
 public:
  // Takes room for `bytes` bytes.
  // Errors: InputError "PATH: …" when it cannot be written, is not a regular file, or the device is
  //         full
  OutputFile(const std::string& path, uint64_t bytes);

  int file() const { return file_.descriptor(); }
  const std::string& name() const { return name_; }

  // Cuts the file to its bytes, brings it to the device and gives it its name.
  // Errors: InputError "PATH: …"; a file that had the name keeps it
  void commit();

 private:
  io::AtomicFile file_;
  std::string name_;
  uint64_t bytes_;
};

}  // namespace presort::external
