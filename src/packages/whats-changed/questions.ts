import type { ApiError } from '../../contract/errors.ts';
import type { UpgradeHistory, WhatsChanged } from '../../contract/whats-changed.ts';
import type { DistTags } from '../../domain/upgrade/dist-tags.ts';
import type { HistoryGaps } from '../../domain/upgrade/history.ts';
import type {
  LookupMethod,
  PackageName,
  PartsOfSource,
  UpgradeEcosystem,
} from '../../domain/upgrade/requested-package.ts';
import type { StepEntry } from '../../domain/upgrade/steps/merge-steps.ts';
import type { ComparedPair } from '../../domain/upgrade/steps/shown-steps.ts';
import type { VersionRange } from '../../domain/upgrade/version-range.ts';
import type { PackageSource } from './package-sources.ts';
import type { ResolvedTarget } from './resolve-targets.ts';
import type { ReleaseSpan, ReleaseWindow } from './spans.ts';

export interface RequestedUpgrade {
  package: string;
  ecosystem?: UpgradeEcosystem;
  from: string;
  to: string;
  includePrereleases?: boolean;
  // Lists only releases with a break; all are counted.
  breakingOnly?: boolean;
}

// A question between two steps: each step adds what it found, until there is an answer.
export interface Question {
  index: number;
  requested: RequestedUpgrade;
  method: LookupMethod;
  target: ResolvedTarget;
  // Of its package, where a bound is a word and they are known.
  tags?: DistTags;
}

export interface PackageQuestion extends Question {
  // The packages that share the source.
  parts: PartsOfSource;
  of: { source: PackageSource; part: string | null };
}

// How far the stored versions of the package reach, and which published versions have no notes.
export interface History extends HistoryGaps {
  shape: UpgradeHistory;
  // Order keys of versions that were withdrawn.
  withdrawn: ReadonlySet<string>;
}

// The upper bound as a text that is read like a version.
export type UpperBound =
  | { by: 'version'; text: string }
  | { by: 'latest'; text: string | null }
  | { by: 'range'; text: string; range: VersionRange };

export interface UpgradeRange {
  from: string;
  // Null for `latest` of a package without versions.
  to: string | null;
  window: ReleaseWindow | null;
  // Why the range is empty, when the bounds alone show it.
  reason: 'same_version' | 'up_to_date' | null;
  // Whether the text of the upper bound is a pre-release; a stored release of that version decides instead.
  endsInPrerelease: boolean;
  // Order keys of the bounds; null in a range of time.
  keys: { from: string; to: string } | null;
  // How the upper bound was given: as a version, as `latest`, or as a version range.
  upperBy: UpperBound['by'];
}

// The bounds are known, and how far the stored history covers them.
export interface RangeQuestion extends PackageQuestion {
  range: UpgradeRange;
  history: History;
}

export interface SpanQuestion extends PackageQuestion {
  range: UpgradeRange;
  span: ReleaseSpan;
  // The history once it is known whether pre-releases count.
  historyOf: (includesPrereleases: boolean) => History;
}

// An answer before it is judged.
export type UnjudgedAnswer = Omit<WhatsChanged, 'judgement' | 'judgedBy' | 'undocumented' | 'steps' | 'moreSteps'> & {
  // What the breaking releases of the range ask for, oldest first.
  told: readonly StepEntry[];
  // The published packages of the range that were compared.
  compared: readonly ComparedPair[];
  // Major verdicts of the range that rest on the number of their version alone.
  byVersion: number;
  // Breaks of pre-releases that the range does not list.
  leftBreaks: { major: number; minor: number };
  // Where the notes of the package are stored; null where there are none.
  notesIn: Pick<ReleaseSpan, 'sourceId' | 'part' | 'visible'> | null;
};

// A faulty range is the error of its question alone and does not fail the others.
export type UpgradeAnswer = UnjudgedAnswer | ApiError;
// The answers by the index of the question.
export type UpgradeAnswers = Map<number, UpgradeAnswer>;

// The package of a question, whose published versions may be compared.
export interface AskedPackage {
  index: number;
  named: PackageName;
}
