"""The classes of leaks, by number, in the order in which they are printed."""

from __future__ import annotations

from eval.leaks.attempt import LeakClass
from eval.leaks.classes_encoded import ENCODED
from eval.leaks.classes_figures import FIGURES
from eval.leaks.classes_letters import LETTERS
from eval.leaks.classes_sessions import SESSIONS
from eval.leaks.variants_encoded import VARIANTS_ENCODED
from eval.leaks.variants_figures import VARIANTS_FIGURES
from eval.leaks.variants_letters import VARIANTS_LETTERS
from eval.leaks.variants_outside import VARIANTS_OUTSIDE
from eval.leaks.variants_written import VARIANTS_WRITTEN

CLASSES: tuple[LeakClass, ...] = tuple(
    sorted(
        (
            *LETTERS,
            *ENCODED,
            *FIGURES,
            *SESSIONS,
            *VARIANTS_ENCODED,
            *VARIANTS_FIGURES,
            *VARIANTS_LETTERS,
            *VARIANTS_OUTSIDE,
            *VARIANTS_WRITTEN,
        ),
        key=lambda one: (one.number, one.title),
    )
)
