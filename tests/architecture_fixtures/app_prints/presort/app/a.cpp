#include "presort/core/error.h"
void say() {
  std::cerr << "past app/printing/notes.h";
}
