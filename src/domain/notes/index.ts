// Release notes, read by rule: what a body holds, and the fields that are derived from it. Everything here is pure,
// deterministic and linear in the length of the body. Start with `readBody`; each derived field has a file of its own.
import type { VersionStep } from '../versions/parse.ts';
import { breakingVerdict, findEvidence } from './breaking.ts';
import { type Habits, readHabits } from './habits.ts';
import { composition, importance, isSecurityRelease, rankItems } from './importance.ts';
import { migrationNotes } from './migration.ts';
import { readBody } from './read-body.ts';
import { guideSteps } from './steps.ts';
import { standaloneText, summary } from './summary.ts';
import { informativeTitle, isTitle, titleGenerated, titleShort, withoutLabel } from './titles.ts';
import type { BreakingVerdict, Composition, Importance, NoteItem } from './types.ts';

export { cleanItem } from './clean-item.ts';
export { habitsFromJson, habitsToJson } from './habits.ts';
export { plainText } from './plain-text.ts';
export { readBody } from './read-body.ts';
export { releaseType } from './release-type.ts';
export { RULES_VERSION } from './rules-version.ts';
export { sentenceSpans } from './sentences.ts';
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
  migrationNotes: string | null;
  // What the migration notes ask for; null without any.
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
  bySteps: (Pick<DerivedNotes, 'breaking' | 'migrationNotes' | 'upgradeSteps' | 'importance'> & {
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
  const top = ranked.find(isTitle) ?? items.find((item) => item.listed && item.class === null && isTitle(item));
  const topItem = top ? withoutLabel(standaloneText(top, body)) : null;
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
        migrationNotes: notes,
        upgradeSteps: notes === null ? null : guideSteps(notes),
        importance: importance({ ...input, step, body, breaking, composition: counts }),
      };
    }),
  };
}

export function notesFromDigest(
  digest: NotesDigest,
  { step, displayName, version }: Pick<NotesInput, 'step' | 'displayName' | 'version'>,
): DerivedNotes {
  const { summary, titleShort, composition, security, generatedFrom } = digest;
  const found = digest.bySteps.find((one) => one.step === step);
  if (!found) throw new Error(`the digest holds no step ${step}`);
  const { breaking, migrationNotes, upgradeSteps, importance } = found;
  return {
    summary,
    titleShort,
    titleGenerated: generatedFrom ? titleGenerated(displayName, version, generatedFrom) : null,
    breaking,
    migrationNotes,
    upgradeSteps,
    importance,
    composition,
    security,
  };
}
