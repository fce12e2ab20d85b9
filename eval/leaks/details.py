"""Personal details of invented people, and how people put them into a question."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random


def _words(text: str) -> list[str]:
    return text.split()


_FIRST = _words(
    "Anna Peter Maria James Ingrid Tomasz Helena Rashid Claire Duncan Sofia Marek Bettina Hugh Leila Viktor"
)
_LAST = _words(
    "Lindqvist Moorhouse Castellanos Brandvold Okonjo Szymanek Verhoeven Haddadi Pemberton Kowalczyk Aldersey Tamboli"
    " Reinhold Strandgaard Ferreira Quillfeather"
)
_MONTHS = _words("January February March April May June July August September October November December")
_STREETS = _words("Maple Orchard Station Victoria Chestnut Mill Harbour Willow")
_WAYS = _words("Street Road Avenue Lane Drive")
_HOSTS = _words("mailbox.example post.example webmail.example inbox.example")


@dataclass(frozen=True)
class Person:
    """Somebody invented."""

    first: str
    last: str

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first} {self.last}"


@dataclass(frozen=True)
class Detail:
    """A detail as it is written. phrase: with the words that lead up to it. parts: what must not be left of it.

    clause: the phrase stands alone; else it hangs on the question ("for ...").
    """

    kind: str
    phrase: str
    parts: tuple[str, ...]
    clause: bool


def person(source: Random) -> Person:
    """Invent somebody."""
    return Person(source.choice(_FIRST), source.choice(_LAST))


def details(source: Random, people: tuple[Person, ...]) -> list[Detail]:
    """Return one to three details of one person; a name alone only of somebody whom the case has confirmed."""
    who = source.choice(people) if people else person(source)
    kinds = ["email", "phone", "ssn", "card", "iban", "birth date", "address"]
    chosen = source.sample(kinds, source.choice([1, 1, 1, 2, 2, 3]))
    made = [_make(kind, who, source) for kind in chosen]
    if people and source.random() < 0.6:
        made = [_name(who, source), *made[: source.choice([0, 1, 2])]]
    elif source.random() < 0.25:
        made.insert(0, Detail("introduced name", f"my name is {who.name}", (who.first, who.last), True))
    return made


def _name(who: Person, source: Random) -> Detail:
    hanging = source.random() < 0.6
    form = source.choice(
        ["for {}", "of patient {}", "for our client {}", "for Mr {}", "concerning {}"]
        if hanging
        else ["I am {}", "my name is {}", "Name: {}", "this is about {}", "claimant: {}"]
    )
    return Detail("name", form.format(who.name), (who.last,), not hanging)


def _make(kind: str, who: Person, source: Random) -> Detail:
    value, forms = {
        "email": _email,
        "phone": _phone,
        "ssn": _ssn,
        "card": _card,
        "iban": _account,
        "birth date": _birth,
        "address": _address,
    }[kind](who, source)
    form = source.choice(forms)
    digits = tuple(part for part in value.replace("-", " ").replace(".", " ").split() if len(part) > 3)
    return Detail(
        kind,
        form.format(value),
        (value, *(digits if kind != "address" else value.split()[1:2])),
        form[0] != "+",
    )


def _email(who: Person, source: Random) -> tuple[str, list[str]]:
    value = f"{who.first}.{who.last}{source.randrange(100)}@{source.choice(_HOSTS)}".lower()
    return value, [
        "my email is {}",
        "reply to {}",
        "Email: {}",
        "please write to {}",
        "{}",
        "you can reach me at {}",
    ]


def _phone(who: Person, source: Random) -> tuple[str, list[str]]:
    number = "".join(source.choice("23456789") for _ in range(7))
    area = source.choice(["212", "415", "617", "303"])
    value = source.choice(
        [
            f"{area}-{number[:3]}-{number[3:]}",
            f"({area}) {number[:3]}-{number[3:]}",
            f"+49 30 {number}",
            f"+1 {area} {number[:3]} {number[3:]}",
        ]
    )
    return value, ["call me on {}", "my phone number is {}", "Tel: {}", "phone {}", "you can reach me at {}"]


def _ssn(who: Person, source: Random) -> tuple[str, list[str]]:
    value = f"{source.randrange(101, 660)}-{source.randrange(10, 99)}-{source.randrange(1000, 9999)}"
    return value, ["my SSN is {}", "SSN {}", "social security number {}", "SSN: {}"]


def _card(who: Person, source: Random) -> tuple[str, list[str]]:
    digits = "4" + "".join(source.choice("0123456789") for _ in range(14))
    doubled = (int(digit) * (2 - place % 2) for place, digit in enumerate(digits))
    value = digits + str(-sum(sum(divmod(digit, 10)) for digit in doubled) % 10)
    if source.random() < 0.5:
        value = " ".join(value[at : at + 4] for at in range(0, 16, 4))
    return value, [
        "my card number is {}",
        "card {}",
        "I paid with card {}",
        "Visa {}",
        "credit card number: {}",
    ]


def _account(who: Person, source: Random) -> tuple[str, list[str]]:
    account = "".join(source.choice("0123456789") for _ in range(18))
    value = f"DE{98 - int(account + '131400') % 97:02d}{account}"
    if source.random() < 0.5:
        value = " ".join(value[at : at + 4] for at in range(0, 22, 4))
    return value, ["my IBAN is {}", "IBAN {}", "account {}", "please pay to {}", "IBAN: {}"]


def _birth(who: Person, source: Random) -> tuple[str, list[str]]:
    day = date(1940, 1, 1) + timedelta(days=source.randrange(22_000))
    value = source.choice(
        [
            f"{day.day}.{day.month}.{day.year}",
            f"{day.day} {_MONTHS[day.month - 1]} {day.year}",
            day.isoformat(),
            f"{day.month:02d}/{day.day:02d}/{day.year}",
        ]
    )
    return value, [
        "born {}",
        "DOB {}",
        "date of birth: {}",
        "born on {}",
        "DOB: {}",
        "my date of birth is {}",
    ]


def _address(who: Person, source: Random) -> tuple[str, list[str]]:
    value = f"{source.randrange(1, 400)} {source.choice(_STREETS)} {source.choice(_WAYS)}"
    return value, ["I live at {}", "my address is {}", "address: {}", "living at {}"]


def insert(question: str, added: list[Detail], source: Random) -> str:
    """Return the question with the details in it: before, behind, in brackets, or hanging on its end."""
    hanging = [detail.phrase for detail in added if not detail.clause]
    clauses = [detail.phrase for detail in added if detail.clause]
    mark = question[-1] if question[-1] in "?.!" else ""
    asked = question[: len(question) - len(mark)]
    if hanging:
        asked += " " + " ".join(hanging)
    if not clauses:
        return asked + mark
    together = source.choice([", ", ", ", " and "]).join(clauses)
    capital = together[0].upper() + together[1:]
    return source.choice(
        [
            f"{asked}{mark} {capital}.",
            f"{capital}. {asked}{mark}",
            f"{asked}, {together}{mark}",
            f"{asked} ({together}){mark}",
            f"{asked} - {together}",
            f"{together}: {asked}{mark}",
        ]
    )
