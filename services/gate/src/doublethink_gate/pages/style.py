"""What an element's style says about whether a person sees its text. Best effort: there is no layout here.

Only declarations are read, as CSS 2.2 and CSS Fonts, Color and Masking define them; sizes that depend on the
window count as their value in points of 1/100 of 1000 px.
"""

import re
from dataclasses import dataclass

from .characters import without

INTERESTING = frozenset(
    [
        "display",
        "visibility",
        "opacity",
        "font-size",
        "font",
        "color",
        "background",
        "background-color",
        "position",
        "left",
        "right",
        "top",
        "text-indent",
        "margin-left",
        "clip",
        "clip-path",
        "width",
        "height",
        "max-height",
        "max-width",
        "overflow",
        "overflow-x",
        "overflow-y",
        "transform",
        "vertical-align",
        "content-visibility",
        "white-space",
    ]
)
_LENGTH = re.compile(r"^([-+]?(?:\d+\.?\d*|\.\d+))(px|pt|em|rem|ex|ch|%|in|cm|mm|pc|vw|vh)?$")
_PIXELS = {
    "px": 1.0,
    "pt": 4 / 3,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "pc": 16.0,
    "vw": 10.0,
    "vh": 10.0,
    None: 1.0,
}
_RELATIVE = {"em": 1.0, "%": 0.01, "ex": 0.5, "ch": 0.5}
_FONT_WORDS = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
}
_COLOR_WORDS = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "navy": (0, 0, 128),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
}
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+([\d.]+)(%?))?\s*\)")
_ZERO_SCALE = re.compile(r"scale(?:3d|x|y)?\(\s*0(?:\.0+)?[\s,)]")
_TRANSLATE = re.compile(r"translate(?:3d|x|y)?\(\s*(-?[\d.]+)(px|%|vw|vh|em)?")
_MAX_STYLE = 8000

TINY_PX = 2.0
OFF_SCREEN_PX = -400.0
_SAME_COLOR = 10  # of 255, in every channel

Color = tuple[int, int, int]
Declarations = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Inherited:
    """What an element takes over from the elements around it."""

    visible: bool = True
    font_px: float = 16.0
    color: Color | None = (0, 0, 0)
    background: Color | None = (255, 255, 255)  # None: it cannot be known
    raised: bool = False
    preformatted: bool = False


@dataclass(frozen=True, slots=True)
class Styled:
    """One element's style: why it is hidden with all inside it (or None), its display, what it hands down."""

    hidden: str | None
    display: str | None
    inherited: Inherited


def parse_declarations(css: str) -> Declarations:
    """The declarations of a style attribute that matter here, in order, names and values in lower case."""
    css = without(css[:_MAX_STYLE], "/*", "*/")
    found = []
    for declaration in css.split(";")[:200]:
        name, colon, value = declaration.partition(":")
        name = name.strip().lower()
        if colon and name in INTERESTING:
            found.append((name, value.replace("!important", "").strip().lower()))
    return tuple(found)


def apply(declarations: Declarations, parent: Inherited) -> Styled:
    """The effect of `declarations` on an element inside `parent`."""
    style = dict(declarations)
    display = style.get("display")
    visible = parent.visible
    if "visibility" in style:
        visible = style["visibility"] not in ("hidden", "collapse")
    font_px = _font_size(style, parent.font_px)
    color = parse_color(style["color"]) if "color" in style else parent.color
    background = _background(style, parent.background)
    raised = parent.raised or _is_raised(style)
    preformatted = parent.preformatted
    if "white-space" in style:
        preformatted = style["white-space"].startswith("pre")
    return Styled(
        hidden=_hidden(style, display, font_px),
        display=display,
        inherited=Inherited(visible, font_px, color, background, raised, preformatted),
    )


def invisible_text(inherited: Inherited) -> str | None:
    """Why text directly inside an element cannot be seen, or None."""
    if not inherited.visible:
        return "visibility"
    if inherited.font_px < TINY_PX:
        return "tiny"
    if inherited.color and inherited.background and _same(inherited.color, inherited.background):
        return "same_color"
    return None


def parse_color(value: str) -> Color | None:
    """A CSS colour as red, green and blue; None for one that is not understood or that is see-through."""
    value = value.strip()
    if value in _COLOR_WORDS:
        return _COLOR_WORDS[value]
    found = _HEX.fullmatch(value)
    if found:
        digits = found[1]
        if len(digits) in (3, 4):
            digits = "".join(d * 2 for d in digits)
        if len(digits) in (6, 8):
            return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
        return None
    rgb = _RGB.fullmatch(value)
    if rgb:
        return min(int(rgb[1]), 255), min(int(rgb[2]), 255), min(int(rgb[3]), 255)
    return None


def _hidden(style: dict[str, str], display: str | None, font_px: float) -> str | None:
    if display == "none" or style.get("content-visibility") == "hidden":
        return "display"
    opacity = style.get("opacity")
    if opacity is not None and _ratio(opacity) < 0.05:
        return "opacity"
    if style.get("color") == "transparent" or _see_through(style.get("color", "")):
        return "same_color"
    for name in ("left", "top", "right"):
        placed = style.get("position") in ("absolute", "fixed", "relative")
        if placed and name in style and _pixels(style[name], font_px) <= OFF_SCREEN_PX:
            return "off_screen"
    for name in ("text-indent", "margin-left"):
        if name in style and _pixels(style[name], font_px) <= OFF_SCREEN_PX:
            return "off_screen"
    if _clipped(style, font_px):
        return "clip"
    transform = style.get("transform", "")
    if _ZERO_SCALE.search(transform):
        return "clip"
    moved = _TRANSLATE.search(transform)
    if moved and _pixels(moved[1] + (moved[2] or ""), font_px) <= OFF_SCREEN_PX:
        return "off_screen"
    return None


def _clipped(style: dict[str, str], font_px: float) -> bool:
    clip = style.get("clip", "").replace(" ", "").replace(",", "")
    if (
        clip.startswith("rect(")
        and set(clip[5:].rstrip(")").replace("px", "")) <= set("01")
        and clip != "rect()"
    ):
        return True
    path = style.get("clip-path", "").replace(" ", "")
    if path in ("inset(50%)", "inset(100%)", "circle(0)", "circle(0px)", "circle(0%)", "polygon(00)"):
        return True
    cut_off = any(
        style.get(name, "").startswith(("hidden", "clip"))
        for name in ("overflow", "overflow-x", "overflow-y")
    )
    sides = ("width", "height", "max-width", "max-height")
    return cut_off and any(name in style and abs(_pixels(style[name], font_px)) <= 1 for name in sides)


def _is_raised(style: dict[str, str]) -> bool:
    align = style.get("vertical-align", "")
    if align == "super":
        return True
    if style.get("position") == "relative" and "top" in style:
        return -40 < _pixels(style["top"], 16.0) < 0
    found = _LENGTH.match(align)
    return bool(found and float(found[1]) > 0)


def _font_size(style: dict[str, str], parent: float) -> float:
    value = style.get("font-size")
    if value is None and "font" in style:
        value = next((w.split("/")[0] for w in style["font"].split() if _LENGTH.match(w.split("/")[0])), None)
        if value is not None and value.isdigit() and value != "0":
            return parent  # a weight, not a size
    if value is None:
        return parent
    if value in _FONT_WORDS:
        return _FONT_WORDS[value]
    found = _LENGTH.match(value)
    if not found:
        return parent
    if found[2] in _RELATIVE:
        return float(found[1]) * _RELATIVE[found[2]] * parent
    return _pixels(value, parent)


def _background(style: dict[str, str], parent: Color | None) -> Color | None:
    for name in ("background-color", "background"):
        value = style.get(name)
        if not value or value in ("transparent", "none", "inherit", "initial"):
            continue
        if "url(" in value or "gradient" in value:
            return None
        color = parse_color(value)
        if color is None:
            color = next((c for c in map(parse_color, value.split()) if c), None)
        return color
    return parent


def _pixels(value: str, font_px: float) -> float:
    found = _LENGTH.match(value)
    if not found:
        return float("nan")
    unit = found[2]
    if unit == "rem":
        return float(found[1]) * 16.0
    if unit == "%":
        return float(found[1]) * 10.0
    if unit in _RELATIVE:
        return float(found[1]) * _RELATIVE[unit] * font_px
    return float(found[1]) * _PIXELS[unit]


def _ratio(value: str) -> float:
    found = _LENGTH.match(value)
    if not found:
        return 1.0
    return float(found[1]) / 100 if found[2] == "%" else float(found[1])


def _see_through(color: str) -> bool:
    rgb = _RGB.fullmatch(color)
    if rgb and rgb[4] is not None:
        return float(rgb[4] or 1) / (100 if rgb[5] else 1) < 0.05 if _is_number(rgb[4]) else False
    return len(color) in (5, 9) and color.startswith("#") and color.endswith("0" if len(color) == 5 else "00")


def _is_number(text: str) -> bool:
    return text.count(".") <= 1 and text != "."


def _same(one: Color, other: Color) -> bool:
    return all(abs(a - b) <= _SAME_COLOR for a, b in zip(one, other, strict=True))
