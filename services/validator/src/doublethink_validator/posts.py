"""Posts that people hold, as a sentence and a query name them: pay is that of the post it is said of.

"Jane Doe received a base salary of $400,000 as Chief Financial Officer" says nothing of what she receives as chief
executive. A sentence that names no post is said of the person, and a post in the query is then no word that it lacks.
"""

from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Final

from .words import CORPORATE, STOP, Word, listed, words

_POSTS: Final = listed(
    """
    officer president chair chairman chairwoman chairperson director treasurer controller secretary counsel manager
    partner
    """
)
_OF_POSTS: Final = listed(
    """
    chief executive senior vice general managing independent lead financial operating customer technology legal
    accounting commercial marketing people information medical scientific revenue interim acting deputy assistant
    corporate administrative strategy product
    """
)
_BESIDE_POSTS: Final = (
    listed("principal named brand division global north america international") | STOP | CORPORATE
)
_SHORT: Final = {
    "ceo": ("chief", "executive"),
    "cfo": ("chief", "financial"),
    "coo": ("chief", "operating"),
    "cto": ("chief", "technology"),
    "cmo": ("chief", "marketing"),
    "cio": ("chief", "information"),
    "cao": ("chief", "accounting"),
}
_LEAST_NAMES: Final = 2
_UNSAID: Final = frozenset({"officer"})
"""What a post may leave out: "chief executive" is "chief executive officer"."""
_POINTING: Final = frozenset({"that", "this", "such", "earlier", "then"})
_PLACES: Final = listed("role position capacity post office")


def posts_in(tokens: Sequence[Word]) -> frozenset[str]:
    """The words of the posts that a sentence names, with "?" where it points to one that it does not name."""
    stems = [t.stem for t in tokens]
    pointed = any(stem in _PLACES and before in _POINTING for before, stem in pairwise(stems))
    return (
        frozenset({s for at in _places(stems) for s in _said(stems[at])} | ({"?"} if pointed else set()))
        - _UNSAID
    )


def asked_in(metric: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the posts that a query names, in full and as the query has them."""
    own = frozenset(metric[at] for at in _places(metric))
    return frozenset(s for stem in own for s in _said(stem)) - _UNSAID, own


def person_of(label: str, asked: Set[str]) -> frozenset[str] | None:
    """The names of the person that a label begins with, where a post is all that follows and they are asked for:
    "Jane B. Doe Chief Executive Officer". None for other labels.
    """
    found = words(label)
    names: list[str] = []
    for word in found:
        if not word.capital or word.stem in _POSTS or (word.stem not in asked and len(word.stem) > 1):
            break
        names.append(word.stem)
    rest = [w.stem for w in found[len(names) :]]
    full = frozenset(n for n in names if len(n) > 1)
    posts = _POSTS | _OF_POSTS | _BESIDE_POSTS | full
    if len(full) < _LEAST_NAMES or _POSTS.isdisjoint(rest) or any(s not in posts for s in rest):
        return None
    return full


def _said(stem: str) -> tuple[str, ...]:
    return _SHORT.get(stem, (stem,))


def _places(stems: Sequence[str]) -> frozenset[int]:
    """Where words of posts stand: the post itself and what leads to it, "chief financial officer"."""
    found: set[int] = set()
    for at, stem in enumerate(stems):
        if stem in _SHORT:
            found.add(at)
        elif stem in _POSTS or (stem == "executive" and at and stems[at - 1] == "chief"):
            found.add(at)
            back = at - 1
            while back >= 0 and stems[back] in _OF_POSTS:
                found.add(back)
                back -= 1
    return frozenset(found)
