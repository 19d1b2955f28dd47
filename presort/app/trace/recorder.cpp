#include "presort/app/trace/recorder.h"

#include "presort/app/cli/interrupt.h"

namespace presort::inline v0::app {

Recorder::Recorder(const std::string& path)
    : file_(path), writer_([this](std::string_view bytes) { file_.write(bytes); }) {}

void Recorder::write(std::span<const sim::Access> records) {
  interrupt_token().check();
  writer_.write(records);
}

void Recorder::commit() {
  writer_.finish();
  file_.commit();
}

}  // namespace presort::app
