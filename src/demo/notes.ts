// The notes of one release: a list of changes in the style of its source, or a post that tells in prose.
import { join, list, mediaOf, type Notes, pictures, upgradeSteps } from './blocks.ts';
import type { NoteStyle } from './cast.ts';
import { drawBreaking, drawChange } from './changes.ts';
import type { ChangeKind, Mood } from './frames.ts';
import { writeEntry, writeLaunch } from './posts.ts';
import { writeRollup, writeStoreNotes, writeVideo } from './rollups.ts';
import { type ChangeSet, STYLES, type Style, updatedDependencies } from './styles.ts';
import type { PlannedRelease } from './timeline.ts';
import type { Voice } from './voice.ts';

type Writer = (voice: Voice, planned: PlannedRelease) => Notes;

const inStyle =
  (style: Style): Writer =>
  (voice, planned) =>
    writeSections(voice, planned, style);

const WRITERS: Record<NoteStyle, Writer> = {
  'keep-a-changelog': inStyle(STYLES['keep-a-changelog']),
  conventional: inStyle(STYLES.conventional),
  changesets: writeChangesets,
  'auto-notes': inStyle(STYLES['auto-notes']),
  sections: writeIllustrated,
  terse: writeTerse,
  launch: writeLaunch,
  entry: writeEntry,
  rollup: writeRollup,
  store: writeStoreNotes,
  video: writeVideo,
};

export function writeNotes(voice: Voice, planned: PlannedRelease, style: NoteStyle): Notes {
  return WRITERS[style](voice, planned);
}

function writeSections(voice: Voice, planned: PlannedRelease, style: Style): Notes {
  const set = drawChangeSet(voice, planned, style.mood);
  const line = style.line(voice, planned);
  const sections = style.sections(voice, set).map(([heading, ...kinds]) => {
    if (kinds[0] === 'upgrade') return set.breaking.length > 0 && `${heading}\n\n${upgradeSteps(set.breaking)}`;
    const texts = kinds.flatMap((kind) =>
      kind === 'breaking' ? set.breaking.map(({ text }) => text) : kind === 'upgrade' ? [] : set[kind],
    );
    if (kinds.length === 0) return heading;
    return texts.length > 0 && `${heading}${style.gap ?? '\n\n'}${texts.map(line).join('\n')}`;
  });
  return {
    title: style.title?.(voice, planned) ?? planned.tag ?? voice.product,
    content: join([style.opening?.(voice, planned), ...sections, ...(style.closing?.(voice, planned, set) ?? [])]),
    ...verdict(set),
  };
}

// A package that only follows the version of others has no changes of its own.
function writeChangesets(voice: Voice, planned: PlannedRelease): Notes {
  const isLead = planned.push?.leads.some((lead) => lead.packageName === planned.packageName);
  if (isLead) return writeSections(voice, planned, STYLES.changesets);
  return { title: planned.tag ?? voice.product, content: join([`### Patch Changes`, updatedDependencies(planned)]) };
}

function writeIllustrated(voice: Voice, planned: PlannedRelease): Notes {
  const notes = writeSections(voice, planned, STYLES.sections);
  if (planned.step === 'patch' || !voice.random.chance(0.2)) return notes;
  const media = [mediaOf(voice, 'image', voice.random.pick(voice.area.features))];
  return { ...notes, content: join([...pictures(media), notes.content]), media };
}

function writeTerse(voice: Voice, planned: PlannedRelease): Notes {
  const title = planned.tag ?? voice.product;
  if (voice.random.chance(0.03)) return { title, content: '' };
  const set = drawChangeSet(voice, planned, 'past');
  const { security, deprecation, feature, gain, fix } = set;
  const content = join([
    list(set.breaking.map(({ text, migration }) => `**Breaking:** ${text} ${migration}`)),
    list([...security, ...deprecation, ...feature, ...gain, ...fix].slice(0, 6)),
  ]);
  return { title, content: content || 'Maintenance release.', ...verdict(set) };
}

// How many changes of each kind a release holds.
const SIZES = {
  major: { feature: [4, 8], gain: [2, 5], fix: [3, 7], chore: [1, 4] },
  minor: { feature: [2, 6], gain: [0, 3], fix: [2, 6], chore: [0, 3] },
  patch: { feature: [0, 0], gain: [0, 1], fix: [1, 4], chore: [0, 2] },
  backport: { feature: [0, 0], gain: [0, 0], fix: [1, 2], chore: [0, 0] },
  pre: { feature: [1, 3], gain: [0, 2], fix: [0, 3], chore: [0, 1] },
  none: { feature: [1, 3], gain: [0, 2], fix: [0, 3], chore: [0, 1] },
} as const;

function drawChangeSet(voice: Voice, { step, number }: PlannedRelease, mood: Mood): ChangeSet {
  const { random } = voice;
  const size = SIZES[step];
  const draw = (kind: ChangeKind, [min, max]: readonly [number, number]) => {
    const length = Math.round(random.int(min, max) * voice.detail);
    return [...new Set(Array.from({ length }, () => drawChange(voice, kind, mood)))];
  };
  const breaks = step === 'major' || (step === 'minor' && random.chance(number?.startsWith('0.') ? 0.25 : 0.03));
  return {
    feature: draw('feature', size.feature),
    gain: draw('gain', size.gain),
    fix: draw('fix', size.fix),
    security: random.chance(step === 'backport' ? 0.3 : 0.05) ? draw('security', [1, 1]) : [],
    deprecation: random.chance(step === 'minor' ? 0.16 : 0.01) ? draw('deprecation', [1, 1]) : [],
    chore: draw('chore', size.chore),
    breaking: breaks ? drawBreaking(voice, mood, step === 'major' ? random.int(2, 4) : 1) : [],
  };
}

function verdict({ breaking, deprecation }: ChangeSet): Pick<Notes, 'breaking' | 'migrationNotes'> {
  if (breaking.length === 0) return deprecation.length > 0 ? { breaking: 'minor' } : {};
  return { breaking: 'major', migrationNotes: breaking.map(({ migration }) => migration).join('\n') };
}
