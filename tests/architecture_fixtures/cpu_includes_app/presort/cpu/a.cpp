#include "presort/app/cli/options.h"
