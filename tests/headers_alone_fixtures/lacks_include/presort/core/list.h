#pragma once

inline std::vector<int> list() {
  return {1, 2};
}
