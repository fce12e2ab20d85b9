"""The classes of leaks, by number, in the order in which they are printed."""

from __future__ import annotations

from eval.leaks.attempt import LeakClass
from eval.leaks.classes_encoded import ENCODED
from eval.leaks.classes_figures import FIGURES
from eval.leaks.classes_letters import LETTERS
from eval.leaks.classes_sessions import SESSIONS

CLASSES: tuple[LeakClass, ...] = tuple(
    sorted((*LETTERS, *ENCODED, *FIGURES, *SESSIONS), key=lambda one: (one.number, one.title))
)
