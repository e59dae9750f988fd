"""The rule sets as data, from the published rules 000 to 004 (docs/rules-decisions.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from games.rules.deck import roles
from games.rules.deck.cards import Card, Deck
from games.rules.deck.decks import DECKS
from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.options import Option, OptionError, Value
from games.rules.text import _, gettext_noop

__all__ = ["OPTIONS", "RULE_SETS", "Option", "OptionError", "RuleSet", "make"]

RESPECTFUL_PAUSE = 1.5  # seconds, 002 "after a respectful pause"
FAILED_CHALLENGE = 2  # cards that a wrong challenge costs in addition to the penalty

# Earlier versions stored "no target" as a target that no match reaches.
OLD_VALUES: Mapping[tuple[str, int], Value] = {("target", 100_000): 0}


@dataclass(frozen=True)
class RuleSet:
    """One rule set: its name, its source, and a value for every option.

    A rule set is immutable and hashable. Creating one raises ValueError if no hand can be played
    with its options, or if a new rule set has options about roles that its deck lacks.
    """

    key: str
    name: str
    summary: str
    source: str
    deck: str
    hand_size: int
    hand_size_two: int
    first_dealer: str
    next_dealer: str
    opening_wild: str
    opening_draw_two: str
    opening_skip: str
    opening_reverse: str
    renege: bool
    draw: str
    drawn_card: str
    face_wilds: str
    penalty_ends_turn: bool
    stacking: str
    wild_draw_four: str
    challenge: bool
    identical_skips: bool
    dead_red_spares_player: bool
    boo_blue_ties: str
    uno_penalty: int
    uno_before_play: bool
    uno_window: str
    partner_catches: bool
    wrong_catch_penalty: int
    last_draw_two: str
    scoring: str
    target: int
    partners: bool
    blanks: int
    blank_rule: str
    blank_card: str
    blank_name: str
    blank_points: int

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            option.check(getattr(self, name))
        _check_combination(self)
        if self.key not in RULE_SETS:
            _check_roles(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.key, *self.options().values()))

    def options(self) -> dict[str, Value]:
        """Return the value of every option by name, in the order of the organizer's form."""
        return {name: getattr(self, name) for name in OPTIONS}

    def changed_options(self) -> dict[str, Value]:
        """Return the options whose values differ from the defaults of this rule set."""
        default = RULE_SETS[self.key].options()
        return {name: value for name, value in self.options().items() if value != default[name]}

    @cached_property
    def pack(self) -> Deck:
        """The deck named by the option ``deck``. It defines the cards and the words for them."""
        return DECKS[self.deck]

    @property
    def colors(self) -> str:
        """The letters of the four colours (``RYGB``) or suits (``SHDC``)."""
        return self.pack.colors

    @property
    def blanks_replace(self) -> bool:
        """True if blanks count as the card that they replace (001 "as a replacement")."""
        return self.blank_rule == "replace"

    def card_counts(self) -> dict[int, int]:
        """Return the number of cards of each kind in the deck, including blanks."""
        counts = dict(self.pack.counts)
        if self.blanks:
            kind = self.kind("BLANK")
            counts[kind] = counts.get(kind, 0) + self.blanks
        return counts

    def cards(self) -> list[int]:
        """Return all cards of the deck in a fixed order."""
        return [kind for kind, count in self.card_counts().items() for _ in range(count)]

    def roles(self) -> dict[roles.CardRole, int]:
        """Return the roles in play, in the deck's order, each with the first kind that has it."""
        first_kinds: dict[roles.CardRole, int] = {}
        for kind in self.card_counts():
            first_kinds.setdefault(self.pack.cards[kind].role, kind)
        return first_kinds

    @cached_property
    def has_colored_wilds(self) -> bool:
        """True if the deck has wild cards with a colour."""
        return any(self.pack.cards[kind].colored_wild for kind in self.card_counts())

    @cached_property
    def _kinds_by_notation(self) -> dict[str, int]:
        """The kind of each notation. A blank may have the kind of the card that it replaces."""
        kinds = self.pack.kinds
        if not (self.blanks_replace and self.blank_card):
            return kinds
        blank = self.pack.blank
        return kinds | {self.pack.notation[blank]: kinds.get(self.blank_card, blank)}

    def kind(self, notation: str) -> int:
        """Return the kind for this notation in this rule set.

        A blank that replaces a card has the kind of that card. Raises ValueError if the deck has no
        card with this notation.
        """
        self.pack.kind(notation)
        return self._kinds_by_notation[notation]

    def kinds(self, notations: Iterable[str]) -> list[int]:
        """Return the kinds for these notations. Raises ValueError if one is not in the deck."""
        names = [*notations]
        try:
            return [*map(self._kinds_by_notation.__getitem__, names)]
        except (KeyError, TypeError):
            return [self.kind(notation) for notation in names]  # the error names the unknown card

    def card(self, notation: str) -> Card:
        """Return the card for this notation in this rule set."""
        return self.pack.cards[self.kind(notation)]

    def points(self, kind: int) -> int:
        """Return the points that a card is worth if it is left in a hand."""
        pack = self.pack
        return self.blank_points if kind == pack.blank else pack.cards[kind].points

    def cards_per_hand(self, seats: int) -> int:
        """Return the number of cards dealt to each of ``seats`` players."""
        return (self.hand_size_two if seats == 2 else 0) or self.hand_size

    @property
    def catch_pause(self) -> float:
        """Seconds before a player can be caught (002 "after a respectful pause")."""
        return RESPECTFUL_PAUSE if self.uno_window == "own-turn" else 0.0

    @property
    def min_seats(self) -> int:
        """Minimum number of players."""
        return 4 if self.partners else 2

    @property
    def max_seats(self) -> int:
        """Maximum number of players, limited by the deck and by its number of cards."""
        deals = (sum(self.card_counts().values()) - 1) // self.hand_size
        return min(4 if self.partners else self.pack.most_seats, deals)

    def reaches_target(self, total: int) -> bool:
        """Return whether there is a target that ``total`` points reach."""
        return 0 < self.target <= total

    def check_seats(self, seats: int) -> None:
        """Check that this number of players can play. Raises OptionError if they cannot."""
        if self.min_seats <= seats <= self.max_seats:
            return
        if self.partners:
            text = _("Partner play is for exactly {least} players, not {seats}.")
        else:
            text = _("These rules are for {least} to {most} players, not {seats}.")
        sentence = text.format(seats=seats, least=self.min_seats, most=self.max_seats)
        raise OptionError("seats", sentence)


RULE_SETS: dict[str, RuleSet] = {}


def _check_roles(rs: RuleSet) -> None:
    """Check that options for roles missing from the deck are set to `Option.idle`.

    Raises ValueError if they do not.
    """
    idle = {
        name: OPTIONS[name].idle
        for name, value in rs.options().items()
        if (about := OPTIONS[name].about) and value != OPTIONS[name].idle
        if rs.pack.roles.keys().isdisjoint(about)
    }
    if idle:
        present = [role.name for role in rs.roles()]
        raise ValueError(f"{rs.key}: for a deck whose roles are {present} the options are {idle}")


def _check_combination(rs: RuleSet) -> None:
    if rs.scoring == "elimination" and not rs.target:
        raise OptionError("target", _("Scoring by elimination requires a target above 0."))
    if rs.partners and rs.scoring == "elimination":
        raise OptionError(
            "scoring", _("Partners can’t be eliminated one by one: choose another way of scoring.")
        )
    if rs.blanks and rs.blanks_replace:
        _check_blank_card(rs)
    if rs.max_seats < rs.min_seats:
        size = sum(rs.card_counts().values())
        text = _("{cards} cards each is too many for a deck of {size} cards.")
        sentence = text.format(cards=rs.hand_size, size=size)
        raise OptionError("hand_size", sentence)


def _check_blank_card(rs: RuleSet) -> None:
    if not rs.blank_card:
        raise OptionError("blank_card", _("Enter the card that the blanks replace, such as Y7."))
    if rs.pack.kinds.get(rs.blank_card, rs.pack.blank) == rs.pack.blank:
        sentence = _("The blanks can’t replace {card}: the {deck} deck has no such card.")
        raise OptionError("blank_card", sentence.format(card=rs.blank_card, deck=rs.deck))


UNO_400 = RuleSet(
    key="uno-400",
    name="UNO to 400",
    summary=gettext_noop(
        "Match colour or number, say UNO, catch anyone who forgets, challenge a Wild Draw Four."
    ),
    source="003",
    deck="uno-108",
    hand_size=7,
    hand_size_two=0,
    first_dealer="random",
    next_dealer="left",
    opening_wild="choose",
    opening_draw_two="draw-and-skip",
    opening_skip="skip",
    opening_reverse="dealers-right",
    renege=True,
    draw="one",
    drawn_card="may",
    face_wilds="anytime",
    penalty_ends_turn=True,
    stacking="none",
    wild_draw_four="no-matching-color",
    challenge=True,
    identical_skips=False,
    dead_red_spares_player=False,
    boo_blue_ties="all",
    uno_penalty=2,
    uno_before_play=False,
    uno_window="next-begins",
    partner_catches=True,
    wrong_catch_penalty=0,
    last_draw_two="at-once",
    scoring="winner-takes",
    target=400,
    partners=False,
    blanks=0,
    blank_rule="draw-one",
    blank_card="",
    blank_name="",
    blank_points=50,
)
UNO_500 = replace(
    UNO_400,
    key="uno-500",
    name="UNO to 500",
    summary=gettext_noop(
        "The classic game to 500, with rules for partners, two players and Challenge "
        "UNO. Forgetting to say UNO costs four cards, and you can say it before you "
        "play."
    ),
    source="001",
    target=500,
    first_dealer="high-card",
    uno_penalty=4,
    uno_before_play=True,
    partner_catches=False,
)
UNO_ASSIGNMENT = replace(
    UNO_400,
    key="uno-assignment",
    name="UNO for 2 to 10 players",
    summary=gettext_noop(
        "You must play a drawn card that fits, and say UNO every time you are down to one card."
    ),
    source="004",
    target=500,
    opening_reverse="dealer",
    drawn_card="must",
    uno_window="next-ends",
)
OCHO = replace(
    UNO_400,
    key="ocho",
    name="Ocho",
    summary=gettext_noop(
        "Stack draw cards, deflect them with a Shield, peek at hands with an X-Ray, "
        "and watch out for Dead Red and Boo Blue, just as in the app."
    ),
    source="000",
    deck="ocho-108",
    hand_size=8,
    target=500,
    opening_wild="redraw",
    opening_draw_two="plain",
    opening_skip="plain",
    opening_reverse="plain",
    stacking="any-draw",
    wild_draw_four="anytime",
    challenge=False,
    uno_penalty=0,
)
OCHO_CARDS = replace(
    UNO_400,
    key="ocho-cards",
    name="Eights with playing cards",
    summary=gettext_noop(
        "Match suit or rank, draw until you can play, stack twos, and skip with an identical card."
    ),
    source="002",
    deck="two-packs",
    next_dealer="winner",
    target=500,
    opening_wild="plain",
    opening_draw_two="plain",
    opening_skip="plain",
    opening_reverse="plain",
    renege=False,
    draw="until-playable",
    drawn_card="must",
    stacking="draw-two",
    wild_draw_four="anytime",
    challenge=False,
    identical_skips=True,
    uno_penalty=4,
    uno_window="own-turn",
    last_draw_two="after-stack",
)
CRAZY_EIGHTS = replace(
    UNO_400,
    key="crazy-eights",
    name="Crazy Eights",
    summary=gettext_noop(
        "One pack of cards: match suit or rank, draw until you can play, and choose "
        "the suit with an eight."
    ),
    source="as commonly played",
    deck="one-pack",
    hand_size=5,
    hand_size_two=7,
    opening_wild="redraw",
    opening_draw_two="plain",
    opening_skip="plain",
    opening_reverse="plain",
    renege=False,
    draw="until-playable",
    drawn_card="must",
    wild_draw_four="anytime",
    challenge=False,
    uno_penalty=0,
    target=100,
)

RULE_SETS |= {
    rs.key: rs for rs in (OCHO, UNO_500, OCHO_CARDS, UNO_400, UNO_ASSIGNMENT, CRAZY_EIGHTS)
}


def make(key: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """Return the rule set ``key``, changed by these options.

    Raises OptionError with the reason if there is no such rule set or an option is invalid.
    """
    if not isinstance(key, str) or key not in RULE_SETS:
        known = ", ".join(RULE_SETS)
        sentence = _("There is no rule set {key!r}. Choose one of these: {known}.").format(
            key=key, known=known
        )
        raise OptionError("ruleset", sentence)
    changes = {name: _check_value(name, value) for name, value in (options or {}).items()}
    # Naming a card implies the rule "replace". Under any other rule, the name would have no effect.
    if changes.get("blank_card") and changes.setdefault("blank_rule", "replace") != "replace":
        changes["blank_card"] = ""
    return replace(RULE_SETS[key], **changes)  # type: ignore[arg-type]


def _check_value(name: str, value: object) -> Value:
    if name not in OPTIONS:
        raise OptionError(str(name), _("There is no option {name!r}.").format(name=name))
    if isinstance(value, int):
        value = OLD_VALUES.get((name, value), value)
    return OPTIONS[name].check(value)
