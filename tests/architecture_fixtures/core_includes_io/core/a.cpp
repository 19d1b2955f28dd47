#include "io/machine_file.h"
