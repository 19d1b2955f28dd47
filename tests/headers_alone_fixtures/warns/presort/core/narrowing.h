#pragma once

inline short narrowed(int value) {
  return value;
}
