#include "core/error.h"
void say() {
  std::cerr << "past app/notes.h";
}
