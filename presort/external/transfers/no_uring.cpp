// Stands for transfers/uring_transfers.cpp where liburing was not found.
#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::external {

std::unique_ptr<Transfers> make_uring_transfers() {
  return nullptr;
}

}  // namespace presort::external
