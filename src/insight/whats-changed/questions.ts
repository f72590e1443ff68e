import type { ApiError } from '../../contract/errors.ts';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import type { UpgradeEcosystem, Way } from '../../domain/upgrade/asked.ts';
import type { History } from './history.ts';
import type { Place } from './places.ts';
import type { Range } from './ranges.ts';
import type { Target } from './resolve-targets.ts';
import type { Span } from './spans.ts';

export interface Asked {
  package: string;
  ecosystem?: UpgradeEcosystem;
  from: string;
  to: string;
  includePrereleases?: boolean;
}

// A question on its way: each step knows more about it, until it has an answer.
export interface Question {
  index: number;
  asked: Asked;
  way: Way;
  target: Target;
}

export interface PackageQuestion extends Question {
  of: { place: Place; part: string | null };
}

// The bounds are known, and how far the stored history covers them.
export interface RangeQuestion extends PackageQuestion {
  range: Range;
  history: History;
}

export interface SpanQuestion extends RangeQuestion {
  span: Span;
}

// What is wrong with a range is the answer to that question alone.
export type Answer = WhatsChanged | ApiError;
// By the index of the question.
export type Answers = Map<number, Answer>;
