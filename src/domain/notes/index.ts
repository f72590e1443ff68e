// Release notes, read by rule: what a body holds, and the fields that are derived from it. Everything here is pure,
// deterministic and linear in the length of the body. Start with `readBody`; each derived field has a file of its own.
import type { VersionStep } from '../versions/parse.ts';
import { type BreakingEvidence, breakingVerdict, findEvidence, isByVersion } from './breaking.ts';
import { cleanItem } from './clean-item.ts';
import { type Habits, readHabits } from './habits.ts';
import { composition, importance, isSecurityRelease, rankItems } from './importance.ts';
import { migrationNotes } from './migration.ts';
import { readBody } from './read-body.ts';
import { standaloneText } from './standalone.ts';
import { summary } from './summary.ts';
import {
  informativeTitle,
  isFarFromStart,
  isTitle,
  titleGenerated,
  titleShort,
  withoutCall,
  withoutLabel,
} from './titles.ts';
import type { BreakingVerdict, Composition, Importance, NoteBody, NoteItem } from './types.ts';
import { upgradeSteps } from './upgrade-steps.ts';

export { cleanItem } from './clean-item.ts';
export { habitsFromJson, habitsToJson } from './habits.ts';
export { plainText } from './plain-text.ts';
export { readBody } from './read-body.ts';
export { releaseType } from './release-type.ts';
export { RULES_VERSION } from './rules-version.ts';
export { sentenceSpans } from './sentences.ts';
export { type StandaloneLead, standaloneLead } from './standalone.ts';
export { informativeTitle, shownVersion } from './titles.ts';
export type { BreakingVerdict } from './types.ts';
export { type Habits, readHabits };

export type NotesInput = {
  title: string;
  content: string;
  version: string | null;
  // The numbers of the version without leading zeros; empty for a version without numbers.
  versionNumbers: readonly string[];
  step: VersionStep | null;
  prerelease: boolean;
  type: 'feature' | 'rollup';
  origin: string;
  // Org, product and source names, which a title may repeat.
  names: readonly string[];
  // The name that a generated title begins with.
  displayName: string;
  // How the source usually writes; absent while it has too few releases.
  habits?: Habits | undefined;
};

export type DerivedNotes = {
  summary: string;
  titleShort: string | null;
  titleGenerated: string | null;
  breaking: BreakingVerdict;
  // The verdict rests on the number of the version alone.
  byVersion: boolean;
  migrationNotes: string | null;
  // What the release asks for, by its migration notes and by what else of it breaks; null without any.
  upgradeSteps: string[] | null;
  importance: Importance;
  composition: Composition | null;
  security: boolean;
};

// The entries of a release that describe changes, the most important first.
export function weightiestItems(title: string, content: string): NoteItem[] {
  const body = readBody(content);
  return rankItems(body.items, findEvidence({ title, body })).filter((item) => !item.boilerplate);
}

// What the derived fields need of a text, whatever version step its release turns out to be. It is small, so that the
// text has to be read only once.
export type NotesDigest = Pick<DerivedNotes, 'summary' | 'titleShort' | 'composition' | 'security'> & {
  // The entry that a title is generated from; null when the title is informative itself, or there is no entry.
  generatedFrom: string | null;
  bySteps: (Pick<DerivedNotes, 'breaking' | 'byVersion' | 'migrationNotes' | 'upgradeSteps' | 'importance'> & {
    step: VersionStep | null;
  })[];
};

// The version step is known only when the preceding release is, so that a digest covers every step.
export type DigestInput = Omit<NotesInput, 'step' | 'displayName'>;

const STEPS: readonly (VersionStep | null)[] = ['major', 'minor', 'patch', null];

export function deriveNotes(input: NotesInput): DerivedNotes {
  return notesFromDigest(digestNotes(input, [input.step]), input);
}

export function digestNotes(input: DigestInput, steps: readonly (VersionStep | null)[] = STEPS): NotesDigest {
  const { versionNumbers } = input;
  const body = readBody(input.content);
  const { items } = body;
  const counts = composition(items);
  const evidence = findEvidence({ title: input.title, body, major: versionNumbers[0] ?? null, habits: input.habits });
  const ranked = rankItems(items, evidence);
  const topItem = headline(ranked, body, evidence);
  const informative = informativeTitle(input);
  return {
    summary: summary(body, ranked),
    titleShort: titleShort(informative, topItem),
    generatedFrom: informative === null ? topItem : null,
    composition: counts,
    security: isSecurityRelease(input.title, body),
    bySteps: steps.map((step) => {
      const breaking = breakingVerdict(evidence, { items, step, versionNumbers });
      const notes = migrationNotes(breaking, evidence, body);
      return {
        step,
        breaking,
        byVersion: notes === null && isByVersion(evidence, breaking),
        migrationNotes: notes,
        upgradeSteps: upgradeSteps(breaking, evidence, body),
        importance: importance({ ...input, step, body, breaking, composition: counts }),
      };
    }),
  };
}

// The text of the weightiest entry. What breaks stands there even where only a paragraph, or a later sentence of an entry,
// tells it.
function headline(ranked: readonly NoteItem[], body: NoteBody, evidence: BreakingEvidence): string | null {
  const { breaks } = evidence;
  const breaking = evidence.level === 'major' ? ranked.find((item) => breaks.has(item) && isTitle(item)) : undefined;
  const [sentence = null] =
    breaking === undefined ? [...breaks.values()].filter((told) => told !== null) : [breaks.get(breaking) ?? null];
  if (sentence !== null && (breaking === undefined || isFarFromStart(sentence, breaking.text))) {
    const told = withoutCall(withoutLabel(cleanItem(sentence)));
    if (/\p{L}{3}/u.test(told)) return told;
  }
  const top =
    breaking ?? ranked.find(isTitle) ?? body.items.find((item) => item.listed && item.class === null && isTitle(item));
  return top ? withoutLabel(standaloneText(top, body)) : null;
}

export function notesFromDigest(
  digest: NotesDigest,
  { step, displayName, version }: Pick<NotesInput, 'step' | 'displayName' | 'version'>,
): DerivedNotes {
  const { summary, titleShort, composition, security, generatedFrom } = digest;
  const found = digest.bySteps.find((one) => one.step === step);
  if (!found) throw new Error(`the digest holds no step ${step}`);
  const { breaking, byVersion, migrationNotes, upgradeSteps, importance } = found;
  return {
    summary,
    titleShort,
    titleGenerated: generatedFrom ? titleGenerated(displayName, version, generatedFrom) : null,
    breaking,
    byVersion,
    migrationNotes,
    upgradeSteps,
    importance,
    composition,
    security,
  };
}
