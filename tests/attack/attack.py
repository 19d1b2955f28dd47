"""What an attack is: numbered cases of one kind, each made from a seed and its number alone."""

from __future__ import annotations

from random import Random

from findings import Finding
from world import Site, World


class Attack:
    """A kind of attack. Subclasses override what differs."""

    name = ""
    about = ""  # what the kind attacks, one line for the list of kinds
    share = 1.0  # weight of the kind when the time is shared among kinds

    def missing(self, world: World) -> str:
        """Why this attack cannot run here; "" when it can."""
        del world
        return ""

    def size(self, world: World) -> int | None:
        """How many cases there are; None: no end. May run the command to find out."""
        del world
        return None

    def run(self, site: Site, draw: Random, index: int) -> list[Finding]:
        """Runs one case in an empty site. `draw` depends on kind, seed and index alone."""
        raise NotImplementedError

    def count(self, site: Site) -> int:
        """Number of inputs or processes that the case that has just run consisted of."""
        del site
        return 1


def generator(kind: str, seed: int, index: int) -> Random:
    """The generator of one case."""
    return Random(f"{kind}/{seed}/{index}")
