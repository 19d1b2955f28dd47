#include "presort/io/machine/machine_file.h"
