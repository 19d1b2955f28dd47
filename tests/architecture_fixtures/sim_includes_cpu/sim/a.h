#include "cpu/runner.h"
