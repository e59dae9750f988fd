// Made by `manage.py protocol_schema` from games/protocol; not to be edited.

declare namespace Protocol {
  interface AckMessage {
    "type": "ack";
    "id": string;
    "version": number;
    "receipt"?: Receipt;
    "calls"?: undefined;
    "code"?: undefined;
    "events"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "message"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "own_lines"?: undefined;
    "seat"?: undefined;
    "seats"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
    "view"?: undefined;
  }

  interface Act {
    "type": "action";
    "id": string;
    "version": number;
    "action": Action;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
  }

  type Action = Play | DrawMove | Pass | Choose | Challenge | Call | Catch;

  interface Announcement {
    "id": number;
    "text": string;
    "at": number;
  }

  interface Call {
    "call": true;
    "catch"?: undefined;
    "challenge"?: undefined;
    "choose"?: undefined;
    "color"?: undefined;
    "draw"?: undefined;
    "ocho"?: undefined;
    "pass"?: undefined;
    "play"?: undefined;
    "uno"?: undefined;
    "with"?: undefined;
  }

  interface CallReferee {
    "type": "call_referee";
    "id": string;
    "reason": string;
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  interface Called {
    "event": "called";
    "seat": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface CardBySeat {
    "cards": Record<string, string>;
  }

  interface CardFacts {
    "name": string;
    "art": string;
    "color": number;
    "number": number;
    "points": number;
    "letter": string;
    "signs": string[];
  }

  interface Cards {
    "cards": string[];
  }

  interface Catch {
    "catch": number;
    "call"?: undefined;
    "challenge"?: undefined;
    "choose"?: undefined;
    "color"?: undefined;
    "draw"?: undefined;
    "ocho"?: undefined;
    "pass"?: undefined;
    "play"?: undefined;
    "uno"?: undefined;
    "with"?: undefined;
  }

  interface Caught {
    "event": "caught";
    "seat": number;
    "by": number;
    "cards": number;
    "blocked"?: undefined;
    "card"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Challenge {
    "challenge": true;
    "call"?: undefined;
    "catch"?: undefined;
    "choose"?: undefined;
    "color"?: undefined;
    "draw"?: undefined;
    "ocho"?: undefined;
    "pass"?: undefined;
    "play"?: undefined;
    "uno"?: undefined;
    "with"?: undefined;
  }

  interface ChallengedAtSeat {
    "event": "challenged";
    "seat": number;
    "of": number;
    "guilty": boolean;
    "private"?: Cards;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "points"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Changed {
    "type": "changed";
    "shape": string;
    "count": number;
    "version": number;
    "base"?: undefined;
    "code"?: undefined;
    "hash"?: undefined;
    "html"?: undefined;
    "id"?: undefined;
    "legend"?: undefined;
    "message"?: undefined;
    "now"?: undefined;
    "order"?: undefined;
    "ranks"?: undefined;
    "rows"?: undefined;
    "state"?: undefined;
  }

  interface Changes {
    "type": "changes";
    "version": number;
    "since": number;
    "view": { "turn"?: number | null; "direction"?: number; "color"?: string | null; "top"?: string | null; "discard"?: string[]; "draw_pile"?: number; "discard_pile"?: number; "penalty"?: OwedPenalty | null; "match"?: MatchFacts; "seats"?: SeatAtTable[]; "colors"?: Color[]; "clock"?: Clock | null; "log"?: LogLine[]; "last"?: string; "sheet"?: SheetView | null; "cards"?: HeldCard[]; "seen"?: Record<string, string[]>; "drawn"?: string | null; "may"?: May; "actions"?: Action[]; "draw_label"?: string; "prompt"?: string; "you"?: number | null; "controls"?: boolean; "viewer"?: Viewer | null; "own_lines"?: Record<string, string>; "own_last"?: string | null; "deal"?: DealFacts | null; "coach"?: CoachStep[] };
    "seats": Record<string, { "seat"?: number; "present"?: boolean; "gone_seconds"?: number | null; "away_left_ms"?: number | null; "coming_ms"?: number; "name"?: string; "face"?: Face; "score"?: number; "count"?: number | null; "bot"?: string; "said_uno"?: boolean; "team"?: number | null; "out"?: boolean; "playing"?: boolean; "dealer"?: boolean }>;
    "log": LogLine[];
    "own_lines": Record<string, string>;
    "events": Event[];
    "calls"?: undefined;
    "code"?: undefined;
    "id"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "message"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "receipt"?: undefined;
    "seat"?: undefined;
    "shown"?: undefined;
  }

  interface Choose {
    "choose": string;
    "call"?: undefined;
    "catch"?: undefined;
    "challenge"?: undefined;
    "color"?: undefined;
    "draw"?: undefined;
    "ocho"?: undefined;
    "pass"?: undefined;
    "play"?: undefined;
    "uno"?: undefined;
    "with"?: undefined;
  }

  interface Chose {
    "event": "chose";
    "seat": number;
    "color": string;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  type ClientMessage = Act | Ping | Echo | Sync | TakeOver | Commit | Open | Ready | CallReferee | TakeCallBack | React;

  interface Clock {
    "seat": number;
    "left_ms": number;
    "total_ms": number;
    "bank_ms": number;
    "bank_total_ms": number;
    "in_bank": boolean;
  }

  interface CoachStep {
    "key": string;
    "title": string;
    "text": string;
    "hint": string;
    "due": boolean;
  }

  interface Color {
    "color": string;
    "name": string;
  }

  interface CommentaryView {
    "turn": number | null;
    "direction": number;
    "color": string | null;
    "top": string | null;
    "discard": string[];
    "draw_pile": number;
    "discard_pile": number;
    "penalty": OwedPenalty | null;
    "match": MatchFacts;
    "seats": SeatAtTable[];
    "colors": Color[];
    "clock": Clock | null;
    "log": LogLine[];
    "last": string;
    "sheet": SheetView | null;
    "cards": HeldCard[];
    "seen": Record<string, string[]>;
    "drawn": string | null;
    "may": May;
    "actions": Action[];
    "draw_label": string;
    "prompt": string;
    "you": number | null;
    "controls": boolean;
    "viewer": Viewer | null;
    "own_lines": Record<string, string>;
    "own_last": string | null;
    "deal": DealFacts | null;
    "coach": CoachStep[];
    "open": OpenHand[];
  }

  interface Commit {
    "type": "commit";
    "id": string;
    "hand": number;
    "attempt": number;
    "commitment": string;
    "key"?: string;
    "signature"?: string;
    "action"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "version"?: undefined;
  }

  interface Could {
    "cards": string[];
    "text": string;
  }

  interface DealFacts {
    "hand": number;
    "attempt": number;
    "step": "commit" | "open" | "dealt";
    "server": string;
    "list": DealList | null;
    "digest": string | null;
    "receipt": Receipt | null;
    "shares": Record<string, string>;
    "mine": string | null;
    "opened": number[];
    "void": VoidAttempt[];
  }

  interface DealList {
    "match": string;
    "hand": number;
    "attempt": number;
    "dealer": number | null;
    "deck": string[];
    "server": string;
    "seats": ListedSeat[];
  }

  interface Dealt {
    "event": "dealt";
    "seat": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface DeckFacts {
    "cards": Record<string, CardFacts>;
    "orders": Record<string, string>;
    "noun": string;
    "example": string;
    "labels": string[];
  }

  interface Desk {
    "type": "desk";
    "may_call": boolean;
    "may_react": boolean;
    "calls": Summons[];
    "messages": Announcement[];
    "next"?: NextMatch;
    "code"?: undefined;
    "events"?: undefined;
    "id"?: undefined;
    "log"?: undefined;
    "message"?: undefined;
    "n"?: undefined;
    "now"?: undefined;
    "own_lines"?: undefined;
    "receipt"?: undefined;
    "seat"?: undefined;
    "seats"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
    "version"?: undefined;
    "view"?: undefined;
  }

  interface DrawMove {
    "draw": true;
    "call"?: undefined;
    "catch"?: undefined;
    "challenge"?: undefined;
    "choose"?: undefined;
    "color"?: undefined;
    "ocho"?: undefined;
    "pass"?: undefined;
    "play"?: undefined;
    "uno"?: undefined;
    "with"?: undefined;
  }

  interface DrewAtSeat {
    "event": "drew";
    "seat": number;
    "cards": number;
    "why": "turn" | "opening" | "penalty" | "challenge" | "uno" | "wrong_catch" | "last_card" | "dead_red" | "boo_blue" | "blank";
    "private"?: Cards;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "uno"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Echo {
    "type": "echo";
    "n": number;
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "id"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  type Event = Dealt | Opening | Returned | Played | SaidOcho | Called | Caught | WrongCatch | DrewAtSeat | Passed | Chose | Skipped | Reversed | Penalty | Shielded | ChallengedAtSeat | RevealedAtSeat | Swapped | PassedHands | Reshuffled | Identical | HandOver;

  type EventClientMessage = Ping | Sync;

  type EventMessage = LeaderboardMessage | StandingsMessage | Changed | Pong | RefusedMessage | Notice;

  interface Face {
    "letter": string;
    "tone": number;
    "sign": string;
  }

  interface FairHand {
    "number": number;
    "state": "open" | "hidden" | "void" | "unused";
    "record": string | null;
    "attempts": OpenAttempt[];
  }

  interface FairPage {
    "match": string;
    "you": number | null;
    "hands": FairHand[];
    "keys": string[];
  }

  interface HandOver {
    "event": "over";
    "winner": number | null;
    "points": number[];
    "blocked": boolean;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "private"?: undefined;
    "seat"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "with"?: undefined;
  }

  interface HeldCard {
    "id": string;
    "card": string;
    "playable": boolean;
    "why": string;
  }

  interface Here {
    "type": "here";
    "seats": Presence[];
    "calls"?: undefined;
    "code"?: undefined;
    "events"?: undefined;
    "id"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "message"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "own_lines"?: undefined;
    "receipt"?: undefined;
    "seat"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
    "version"?: undefined;
    "view"?: undefined;
  }

  interface Identical {
    "event": "identical";
    "seat": number;
    "card": string;
    "blocked"?: undefined;
    "by"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface LeaderboardMessage {
    "type": "leaderboard";
    "html": string;
    "hash": string;
    "version": number;
    "base"?: undefined;
    "code"?: undefined;
    "count"?: undefined;
    "id"?: undefined;
    "legend"?: undefined;
    "message"?: undefined;
    "now"?: undefined;
    "order"?: undefined;
    "ranks"?: undefined;
    "rows"?: undefined;
    "shape"?: undefined;
    "state"?: undefined;
  }

  interface ListedSeat {
    "seat": number;
    "commitment"?: string;
    "why"?: "bot" | "none" | "failed" | "before";
  }

  interface LogLine {
    "n": number;
    "seat": number | null;
    "text": string;
    "auto": "" | "timeout" | "away" | "bot";
    "more": boolean;
    "card"?: string;
    "color"?: string;
  }

  interface MatchFacts {
    "id": string;
    "title": string;
    "ruleset": string;
    "rules_name": string;
    "target": number;
    "scoring": "winner-takes" | "lowest" | "elimination";
    "uno": boolean;
    "phase": "waiting" | "playing" | "between" | "over";
    "paused": boolean;
    "hand": number | null;
    "hand_limit": number | null;
    "practice": boolean;
    "commitment": string | null;
    "commentary": string;
    "links": MatchLinks;
  }

  interface MatchLinks {
    "rules": string;
    "result": string;
    "fair": string;
    "event": string | null;
  }

  interface May {
    "draw": boolean;
    "pass": boolean;
    "challenge": boolean;
    "call": boolean;
    "choose": boolean;
    "catch": number[];
    "colors": string[];
    "uno": boolean;
    "ocho": string[];
    "windows": UnoWindow[];
  }

  interface NextMatch {
    "address": string;
    "text": string;
    "here": boolean;
  }

  interface Notice {
    "type": "notice";
    "code": "restarting" | "other_tab" | "unavailable";
    "message": string;
    "base"?: undefined;
    "calls"?: undefined;
    "count"?: undefined;
    "events"?: undefined;
    "hash"?: undefined;
    "html"?: undefined;
    "id"?: undefined;
    "legend"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "order"?: undefined;
    "own_lines"?: undefined;
    "ranks"?: undefined;
    "receipt"?: undefined;
    "rows"?: undefined;
    "seat"?: undefined;
    "seats"?: undefined;
    "shape"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
    "state"?: undefined;
    "version"?: undefined;
    "view"?: undefined;
  }

  interface Open {
    "type": "open";
    "id": string;
    "hand": number;
    "attempt": number;
    "list": string;
    "share": string;
    "action"?: undefined;
    "commitment"?: undefined;
    "key"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  interface OpenAttempt {
    "attempt": number;
    "server": string;
    "list": DealList | null;
    "secret": string;
    "shares": Record<string, string>;
    "let_go"?: number[];
  }

  interface OpenHand {
    "seat": number;
    "cards": string[];
  }

  interface Opening {
    "event": "opening";
    "card": string;
    "blocked"?: undefined;
    "by"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "seat"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface OwedPenalty {
    "cards": number;
    "seat": number;
  }

  interface Pass {
    "pass": true;
    "call"?: undefined;
    "catch"?: undefined;
    "challenge"?: undefined;
    "choose"?: undefined;
    "color"?: undefined;
    "draw"?: undefined;
    "ocho"?: undefined;
    "play"?: undefined;
    "uno"?: undefined;
    "with"?: undefined;
  }

  interface Passed {
    "event": "passed";
    "seat": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface PassedHands {
    "event": "passed_hands";
    "direction": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "seat"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Penalty {
    "event": "penalty";
    "seat": number;
    "cards": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Ping {
    "type": "ping";
    "version": number;
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "id"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
  }

  interface Play {
    "play": string;
    "color"?: string;
    "uno"?: boolean;
    "ocho"?: boolean;
    "with"?: number;
    "call"?: undefined;
    "catch"?: undefined;
    "challenge"?: undefined;
    "choose"?: undefined;
    "draw"?: undefined;
    "pass"?: undefined;
  }

  interface Played {
    "event": "played";
    "seat": number;
    "card": string;
    "color"?: string;
    "uno": boolean;
    "blocked"?: undefined;
    "by"?: undefined;
    "cards"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Pong {
    "type": "pong";
    "version": number;
    "now": number;
    "base"?: undefined;
    "calls"?: undefined;
    "code"?: undefined;
    "count"?: undefined;
    "events"?: undefined;
    "hash"?: undefined;
    "html"?: undefined;
    "id"?: undefined;
    "legend"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "message"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "order"?: undefined;
    "own_lines"?: undefined;
    "ranks"?: undefined;
    "receipt"?: undefined;
    "rows"?: undefined;
    "seat"?: undefined;
    "seats"?: undefined;
    "shape"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
    "state"?: undefined;
    "view"?: undefined;
  }

  interface Presence {
    "seat": number;
    "present": boolean;
    "gone_seconds": number | null;
    "away_left_ms": number | null;
    "coming_ms"?: number;
  }

  interface Probe {
    "type": "probe";
    "n": number;
    "calls"?: undefined;
    "code"?: undefined;
    "events"?: undefined;
    "id"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "message"?: undefined;
    "messages"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "own_lines"?: undefined;
    "receipt"?: undefined;
    "seat"?: undefined;
    "seats"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
    "version"?: undefined;
    "view"?: undefined;
  }

  interface React {
    "type": "react";
    "id": string;
    "shown": string;
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  interface Reacted {
    "type": "reacted";
    "seat": number;
    "shown": "smile" | "laugh" | "wow" | "sad" | "cross" | "think" | "clap" | "heart" | "good-game";
    "calls"?: undefined;
    "code"?: undefined;
    "events"?: undefined;
    "id"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "message"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "own_lines"?: undefined;
    "receipt"?: undefined;
    "seats"?: undefined;
    "since"?: undefined;
    "version"?: undefined;
    "view"?: undefined;
  }

  interface Ready {
    "type": "ready";
    "id": string;
    "hand": number;
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  interface Receipt {
    "key": string;
    "signature": string;
  }

  interface RefusedMessage {
    "type": "refused";
    "id": string | null;
    "code": string;
    "message": string;
    "version": number;
    "base"?: undefined;
    "calls"?: undefined;
    "count"?: undefined;
    "events"?: undefined;
    "hash"?: undefined;
    "html"?: undefined;
    "legend"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "order"?: undefined;
    "own_lines"?: undefined;
    "ranks"?: undefined;
    "receipt"?: undefined;
    "rows"?: undefined;
    "seat"?: undefined;
    "seats"?: undefined;
    "shape"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
    "state"?: undefined;
    "view"?: undefined;
  }

  interface ReplayPage {
    "hand": number;
    "hands": number;
    "before": number | null;
    "after": number | null;
    "you": number | null;
    "scoring": "winner-takes" | "lowest" | "elimination";
    "seats": ReplaySeat[];
    "dealer": number;
    "points": number[] | null;
    "winner": number | null;
    "void": boolean;
    "commitment": string;
    "colors": Color[];
    "deck": DeckFacts;
    "records": boolean;
    "steps": ReplayStep[];
    "luck": StepLuck[];
  }

  interface ReplaySeat {
    "seat": number;
    "name": string;
    "face": Face;
    "score": number;
    "team": number | null;
    "out": boolean;
    "playing": boolean;
    "dealer": boolean;
  }

  interface ReplayStep {
    "seat": number | null;
    "auto": "" | "timeout" | "away" | "bot";
    "at": string;
    "action": Play | DrawMove | Pass | Choose | Challenge | Call | Catch | null;
    "counts": Record<string, number>;
    "turn": number | null;
    "direction": number;
    "color": string | null;
    "top": string | null;
    "discard": string[];
    "discard_pile": number;
    "draw_pile": number;
    "penalty": OwedPenalty | null;
    "said_uno": number[];
    "over": boolean;
    "step": number;
    "cards": Record<string, string[]>;
    "could": Could;
    "texts": string[];
  }

  interface Reshuffled {
    "event": "reshuffled";
    "cards": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "seat"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Returned {
    "event": "returned";
    "card": string;
    "blocked"?: undefined;
    "by"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "seat"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface RevealedAtSeat {
    "event": "revealed";
    "seat": number;
    "private"?: CardBySeat;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Reversed {
    "event": "reversed";
    "direction": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "seat"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface SaidOcho {
    "event": "said_ocho";
    "seat": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface SeatAtTable {
    "seat": number;
    "present": boolean;
    "gone_seconds": number | null;
    "away_left_ms": number | null;
    "coming_ms"?: number;
    "name": string;
    "face": Face;
    "score": number;
    "count": number | null;
    "bot": string;
    "said_uno": boolean;
    "team": number | null;
    "out": boolean;
    "playing": boolean;
    "dealer": boolean;
  }

  type ServerMessage = View | Changes | Here | AckMessage | RefusedMessage | Pong | Probe | Notice | Desk | Reacted;

  interface SheetLinks {
    "replay": string | null;
    "record": string | null;
    "replays": string[];
    "review": string | null;
  }

  interface SheetRow {
    "seat": number;
    "name": string;
    "points": number;
    "total": number;
    "place": number | null;
    "before": number | null;
    "cards_left": string[];
  }

  interface SheetView {
    "hand": number | null;
    "winner": number | null;
    "winner_name": string | null;
    "blocked": boolean;
    "story": string;
    "rows": SheetRow[];
    "next_ms": number | null;
    "next_hand": number | null;
    "waits_for": number[];
    "ready": number[];
    "over": boolean;
    "ended": "" | "target" | "hand-limit" | "time" | "abandoned";
    "ended_text": string;
    "winners": number[];
    "picture": boolean;
    "start": number[];
    "hands": number[][];
    "numbers": number[];
    "links": SheetLinks;
    "commitment": string | null;
    "next_commitment": string | null;
  }

  interface Shielded {
    "event": "shielded";
    "seat": number;
    "of": number | null;
    "cards": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface Skipped {
    "event": "skipped";
    "seat": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }

  interface StandingsMessage {
    "type": "standings";
    "base": string;
    "hash": string;
    "version": number;
    "rows": Record<string, string>;
    "order": number[][];
    "ranks": number[][];
    "state"?: string;
    "legend"?: string;
    "code"?: undefined;
    "count"?: undefined;
    "html"?: undefined;
    "id"?: undefined;
    "message"?: undefined;
    "now"?: undefined;
    "shape"?: undefined;
  }

  interface StepLuck {
    "chances": Record<string, number>;
    "text": string;
    "better": string;
  }

  interface Summons {
    "seat": number;
    "reason": string;
    "at": number;
    "coming": boolean;
  }

  interface Swapped {
    "event": "swapped";
    "seat": number;
    "with": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "cards"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "of"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
  }

  interface Sync {
    "type": "sync";
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "id"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  interface TableView {
    "turn": number | null;
    "direction": number;
    "color": string | null;
    "top": string | null;
    "discard": string[];
    "draw_pile": number;
    "discard_pile": number;
    "penalty": OwedPenalty | null;
    "match": MatchFacts;
    "seats": SeatAtTable[];
    "colors": Color[];
    "clock": Clock | null;
    "log": LogLine[];
    "last": string;
    "sheet": SheetView | null;
    "cards": HeldCard[];
    "seen": Record<string, string[]>;
    "drawn": string | null;
    "may": May;
    "actions": Action[];
    "draw_label": string;
    "prompt": string;
    "you": number | null;
    "controls": boolean;
    "viewer": Viewer | null;
    "own_lines": Record<string, string>;
    "own_last": string | null;
    "deal": DealFacts | null;
    "coach": CoachStep[];
    "open"?: undefined;
  }

  interface TakeCallBack {
    "type": "take_call_back";
    "id": string;
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  interface TakeOver {
    "type": "take_over";
    "action"?: undefined;
    "attempt"?: undefined;
    "commitment"?: undefined;
    "hand"?: undefined;
    "id"?: undefined;
    "key"?: undefined;
    "list"?: undefined;
    "n"?: undefined;
    "reason"?: undefined;
    "share"?: undefined;
    "shown"?: undefined;
    "signature"?: undefined;
    "version"?: undefined;
  }

  interface UnoWindow {
    "seat": number;
    "left_ms": number | null;
    "total_ms": number | null;
  }

  interface View {
    "type": "view";
    "version": number;
    "view": WindowView;
    "events": Event[];
    "calls"?: undefined;
    "code"?: undefined;
    "id"?: undefined;
    "log"?: undefined;
    "may_call"?: undefined;
    "may_react"?: undefined;
    "message"?: undefined;
    "messages"?: undefined;
    "n"?: undefined;
    "next"?: undefined;
    "now"?: undefined;
    "own_lines"?: undefined;
    "receipt"?: undefined;
    "seat"?: undefined;
    "seats"?: undefined;
    "shown"?: undefined;
    "since"?: undefined;
  }

  interface Viewer {
    "mode": "live" | "delayed" | "hand";
    "seconds": number;
    "curtain": boolean;
    "text": string;
  }

  interface VoidAttempt {
    "attempt": number;
    "list": DealList;
    "secret": string;
    "shares": Record<string, string>;
  }

  type WindowView = TableView | CommentaryView;

  interface WrongCatch {
    "event": "wrong_catch";
    "seat": number;
    "of": number;
    "cards": number;
    "blocked"?: undefined;
    "by"?: undefined;
    "card"?: undefined;
    "color"?: undefined;
    "direction"?: undefined;
    "guilty"?: undefined;
    "points"?: undefined;
    "private"?: undefined;
    "uno"?: undefined;
    "why"?: undefined;
    "winner"?: undefined;
    "with"?: undefined;
  }
}
