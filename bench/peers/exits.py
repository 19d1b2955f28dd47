"""How bench/peers.py ends when it cannot go on."""

import sys

EXIT_DIFFERS = 1
EXIT_USAGE = 2
EXIT_ENVIRONMENT = 3


def die(status, text):
    print(f"peers.py: {text}", file=sys.stderr)
    sys.exit(status)
