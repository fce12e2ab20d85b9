"""What an element's style says about whether a person sees its text. Best effort: there is no layout here.

Only declarations are read, as CSS 2.2 and CSS Fonts, Color and Masking define them; sizes that depend on the
window count as their value in points of 1/100 of 1000 px.
"""

import colorsys
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
        "bottom",
        "inset",
        "margin",
        "margin-top",
        "scale",
        "translate",
        "filter",
        "-webkit-text-fill-color",
        "background-clip",
        "-webkit-background-clip",
    ]
)
_IMPORTANT = "!"
"""Before the name of a declaration that wins over those of its element that are not important."""
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
_RGB_PERCENT = re.compile(
    r"rgba?\(\s*([\d.]{1,6})%[\s,]+([\d.]{1,6})%[\s,]+([\d.]{1,6})%(?:[\s,/]+([\d.]+)(%?))?\s*\)"
)
_HSL = re.compile(
    r"hsla?\(\s*([\d.]{1,6})(?:deg)?[\s,]+([\d.]{1,6})%[\s,]+([\d.]{1,6})%(?:[\s,/]+([\d.]+)(%?))?\s*\)"
)
_TERM = re.compile(r"([-+]?)\s*+(?<![\d.])(\d++(?:\.\d*+)?+|\.\d++)(px|pt|em|rem|ex|ch|%|in|cm|mm|pc|vw|vh)")
_NO_OPACITY = re.compile(r"opacity\(\s*0?(?:\.0\d*)?%?\s*\)")
_MATRIX = re.compile(r"matrix\(\s*([-+\d.e]+)\s*,\s*([-+\d.e]+)\s*,\s*([-+\d.e]+)\s*,\s*([-+\d.e]+)")
_NO_SHAPE = re.compile(r"(?:inset\((?:[5-9]\d|100)%|(?:circle|ellipse)\(0(?:px|%|em|rem)?[\s)])")
_SIDES = ("top", "right", "bottom", "left")
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
            value, important, _ = value.strip().lower().partition("!important")
            found.append((f"{_IMPORTANT if important else ''}{name}", value.strip()))
    return tuple(found)


def apply(declarations: Declarations, parent: Inherited) -> Styled:
    """The effect of `declarations` on an element inside `parent`."""
    style = _cascaded(declarations)
    display = style.get("display")
    visible = parent.visible
    if "visibility" in style:
        visible = style["visibility"] not in ("hidden", "collapse")
    font_px = _font_size(style, parent.font_px)
    shown = style.get("-webkit-text-fill-color", style.get("color"))
    color = parent.color if shown is None else parse_color(shown)
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
    share = _RGB_PERCENT.fullmatch(value)
    if share:
        red, green, blue = (_channel(_number(part) / 100) for part in share.groups()[:3])
        return red, green, blue
    turned = _HSL.fullmatch(value)
    if turned:
        hue, saturation, lightness = (_number(part) for part in turned.groups()[:3])
        parts = colorsys.hls_to_rgb((hue % 360) / 360, min(lightness, 100) / 100, min(saturation, 100) / 100)
        return _channel(parts[0]), _channel(parts[1]), _channel(parts[2])
    return None


def _cascaded(declarations: Declarations) -> dict[str, str]:
    """The declarations that count, important ones over others; `inset` and `margin` as the sides they stand for."""
    ordered = [(name, value) for name, value in declarations if not name.startswith(_IMPORTANT)]
    ordered += [(name[1:], value) for name, value in declarations if name.startswith(_IMPORTANT)]
    style: dict[str, str] = {}
    for name, value in ordered:
        parts = value.split()
        if name == "inset" and 1 <= len(parts) <= 4:
            style.update(zip(_SIDES, _four(parts), strict=True))
        elif name == "margin" and 1 <= len(parts) <= 4:
            top, _, _, left = _four(parts)
            style |= {"margin-top": top, "margin-left": left}
        else:
            style[name] = value
    return style


def _four(parts: list[str]) -> tuple[str, str, str, str]:
    """One to four values as those of top, right, bottom and left."""
    top = parts[0]
    right = parts[1] if len(parts) > 1 else top
    bottom = parts[2] if len(parts) > 2 else top
    return top, right, bottom, parts[3] if len(parts) > 3 else right


def _number(text: str) -> float:
    return float(text) if _is_number(text) else 0.0


def _channel(share: float) -> int:
    return max(0, min(255, round(share * 255)))


def _hidden(style: dict[str, str], display: str | None, font_px: float) -> str | None:
    if display == "none" or style.get("content-visibility") == "hidden":
        return "display"
    opacity = style.get("opacity")
    if opacity is not None and _ratio(opacity) < 0.05:
        return "opacity"
    shown = style.get("-webkit-text-fill-color", style.get("color", ""))
    if "text" in (style.get("background-clip"), style.get("-webkit-background-clip")):
        shown = ""  # the background shows through the letters
    if shown == "transparent" or _see_through(shown):
        return "same_color"
    if _NO_OPACITY.search(style.get("filter", "")):
        return "opacity"
    for name in ("left", "top", "right"):
        placed = style.get("position") in ("absolute", "fixed", "relative")
        if placed and name in style and _pixels(style[name], font_px) <= OFF_SCREEN_PX:
            return "off_screen"
    if style.get("position") == "fixed" and _pixels(style.get("bottom", ""), font_px) <= OFF_SCREEN_PX:
        return "off_screen"
    for name in ("text-indent", "margin-left", "margin-top"):
        if name in style and _pixels(style[name], font_px) <= OFF_SCREEN_PX:
            return "off_screen"
    if _clipped(style, font_px):
        return "clip"
    transform = style.get("transform", "")
    if _ZERO_SCALE.search(transform) or _flat(transform):
        return "clip"
    if any(_is_zero(part) for part in style.get("scale", "").split()[:2]):
        return "clip"
    if any(_pixels(part, font_px) <= OFF_SCREEN_PX for part in style.get("translate", "").split()[:2]):
        return "off_screen"
    moved = _TRANSLATE.search(transform)
    if moved and _pixels(moved[1] + (moved[2] or ""), font_px) <= OFF_SCREEN_PX:
        return "off_screen"
    return None


def _is_zero(part: str) -> bool:
    return _ratio(part) == 0 and part[:1].isdigit()


def _flat(transform: str) -> bool:
    """Whether a matrix leaves no area."""
    found = _MATRIX.search(transform)
    if not found:
        return False
    try:
        a, b, c, d = (float(part) for part in found.groups())
    except ValueError:
        return False
    return abs(a * d - b * c) < 1e-6


def _clipped(style: dict[str, str], font_px: float) -> bool:
    clip = style.get("clip", "").replace(" ", "").replace(",", "")
    if (
        clip.startswith("rect(")
        and set(clip[5:].rstrip(")").replace("px", "")) <= set("01")
        and clip != "rect()"
    ):
        return True
    path = style.get("clip-path", "")
    if _NO_SHAPE.match(path):
        return True
    if (
        path.startswith("polygon(")
        and len({" ".join(p.split()) for p in path[8:].rstrip(")").split(",")}) < 3
    ):
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
    if value.startswith("calc("):
        terms = _TERM.findall(value[:200])
        return sum((_pixels(f"{sign}{size}{unit}", font_px) for sign, size, unit in terms), 0.0)
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
    rgb = _RGB.fullmatch(color) or _RGB_PERCENT.fullmatch(color) or _HSL.fullmatch(color)
    if rgb and rgb[4] is not None:
        return float(rgb[4] or 1) / (100 if rgb[5] else 1) < 0.05 if _is_number(rgb[4]) else False
    return len(color) in (5, 9) and color.startswith("#") and color.endswith("0" if len(color) == 5 else "00")


def _is_number(text: str) -> bool:
    return text.count(".") <= 1 and text != "."


def _same(one: Color, other: Color) -> bool:
    return all(abs(a - b) <= _SAME_COLOR for a, b in zip(one, other, strict=True))
