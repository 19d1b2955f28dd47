"""The table of all kinds of attack."""

from __future__ import annotations

import allocations
import bombs
import determinism
import environment
import faults
import files
import groups
import inputs
import keys
import kills
import names
import sizes
import streams
import temporary
import values
import writers
from attack import Attack

ATTACKS: list[Attack] = [
    *files.ATTACKS,
    *inputs.ATTACKS,
    *values.ATTACKS,
    *keys.ATTACKS,
    *sizes.ATTACKS,
    *names.ATTACKS,
    *bombs.ATTACKS,
    *streams.ATTACKS,
    *environment.ATTACKS,
    *groups.ATTACKS,
    *temporary.ATTACKS,
    *faults.ATTACKS,
    *allocations.ATTACKS,
    *kills.ATTACKS,
    *writers.ATTACKS,
    *determinism.ATTACKS,
]
