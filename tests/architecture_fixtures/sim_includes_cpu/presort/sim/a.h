#include "presort/cpu/runner/runner.h"
