"""The fixed fold under which a quote must be an exact substring, with a map back to the text.

White-space runs become one space; curly quotes, dashes and ligatures become their plain forms; soft hyphens
vanish. Nothing else is forgiven: no case, no edit distance. The fold only finds a place; what is stored are
offsets of the text itself.
"""

from dataclasses import dataclass
from typing import Final

from doublethink_figures import Span

MAX_PLACES: Final = 16
"""The most places that one quote is looked for in; a quote that stands in more is of no use as evidence."""

_PLAIN: Final = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201a": "'",
    "\u201b": "'",
    "\u2032": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u2033": '"',
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\u00ad": "",
}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text. `places[i]` is the index in the text of the folded character `i`."""

    text: str
    places: tuple[int, ...]

    def find(self, quote: str) -> tuple[Span, ...]:
        """The stretches of the unfolded text that `quote` is a copy of, at most `MAX_PLACES`, first to
        last.
        """
        needle = fold(quote).text.strip()
        if not needle:
            return ()
        found: list[Span] = []
        at = self.text.find(needle)
        while at >= 0 and len(found) < MAX_PLACES:
            found.append(Span(self.places[at], self.places[at + len(needle) - 1] + 1))
            at = self.text.find(needle, at + 1)
        return tuple(found)


def fold(text: str) -> Folded:
    """`text` under the fold."""
    out: list[str] = []
    places: list[int] = []
    space = False
    for index, character in enumerate(text):
        if character.isspace():
            if not space:
                out.append(" ")
                places.append(index)
            space = True
            continue
        plain = _PLAIN.get(character, character)
        if plain:
            space = False
        for letter in plain:
            out.append(letter)
            places.append(index)
    return Folded("".join(out), tuple(places))
