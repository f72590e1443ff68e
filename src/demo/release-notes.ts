import type { Breaking } from '../contract/enums.ts';
import type { NoteStyle } from './cast.ts';
import {
  type BreakingChange,
  type Change,
  capitalise,
  drawBreaking,
  drawChange,
  fill,
  type Mood,
  type Voice,
} from './changes.ts';
import { writeEntry, writeLaunch, writeRollup, writeStoreNotes, writeVideo } from './launch-posts.ts';
import { configBlock, imageOf, measurementTable, upgradeSection } from './note-blocks.ts';
import type { Random } from './random.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoMedia } from './types.ts';
import { SCOPES } from './vocabulary.ts';

export type Notes = {
  title: string;
  content: string;
  media: DemoMedia[];
  type?: 'feature' | 'rollup';
  breaking?: Breaking;
  migrationNotes?: string;
};

type ChangeSet = {
  features: Change[];
  gains: Change[];
  fixes: Change[];
  security: Change[];
  deprecations: Change[];
  chores: Change[];
  breaking: BreakingChange[];
};

type Writer = (random: Random, voice: Voice, planned: PlannedRelease) => Notes;

const WRITERS: Record<NoteStyle, Writer> = {
  'keep-a-changelog': writeKeepAChangelog,
  conventional: writeConventional,
  changesets: writeChangesets,
  'auto-notes': writeAutoNotes,
  sections: writeSections,
  terse: writeTerse,
  launch: writeLaunch,
  entry: writeEntry,
  rollup: writeRollup,
  store: writeStoreNotes,
  video: writeVideo,
};

export function writeNotes(
  random: Random,
  voice: Voice,
  { planned, style }: { planned: PlannedRelease; style: NoteStyle },
): Notes {
  return WRITERS[style](random, voice, planned);
}

function writeKeepAChangelog(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const set = drawChangeSet(random, voice, planned, 'past');
  const content = join([
    random.chance(0.12) &&
      planned.step === 'minor' &&
      fill(random, voice, 'This release is about {feature}: {part} now {gain}.'),
    section('### Breaking', set.breaking),
    section('### Added', set.features),
    section('### Changed', set.gains),
    section('### Deprecated', set.deprecations),
    section('### Fixed', set.fixes),
    section('### Security', set.security),
    upgradeSection(set.breaking, '### Upgrading'),
    planned.step === 'minor' && random.chance(0.15) && measurementTable(random, voice),
  ]);
  return { title: versionTitle(random, voice, planned), media: [], ...verdict(set), content };
}

function writeConventional(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const set = drawChangeSet(random, voice, planned, 'imperative');
  const line = (text: string) => {
    const hash = random.hex(7);
    const scope = random.chance(0.7) ? `**${random.pick(SCOPES)}:** ` : '';
    const pull = nextPull(random, voice);
    return `* ${scope}${text} ([#${pull}](${voice.home}/issues/${pull})) ([${hash}](${voice.home}/commit/${hash}))`;
  };
  const block = (heading: string, items: { text: string }[]) =>
    items.length > 0 && `${heading}\n\n${items.map((item) => line(item.text)).join('\n')}`;
  const compare = `${voice.home}/compare/${planned.previousTag ?? 'main'}...${planned.tag}`;
  const day = new Date(planned.at).toISOString().slice(0, 10);
  const content = join([
    `## [${planned.number}](${compare}) (${day})`,
    block('### ⚠ BREAKING CHANGES', set.breaking),
    block('### Features', set.features),
    block('### Bug Fixes', [...set.fixes, ...set.security]),
    block('### Performance Improvements', set.gains),
    block('### Deprecations', set.deprecations),
    upgradeSection(set.breaking, '### Migration'),
  ]);
  return { title: planned.tag ?? voice.product, media: [], ...verdict(set), content };
}

function writeChangesets(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const title = planned.tag ?? voice.product;
  const leads = planned.push?.leads ?? [];
  const isLead = leads.some((lead) => lead.packageName === planned.packageName);
  const others = leads.filter((lead) => lead.packageName !== planned.packageName);
  const updated = `- Updated dependencies [${planned.push?.hash}]\n${others
    .map((lead) => `  - ${lead.packageName}@${lead.number}`)
    .join('\n')}`;
  if (!isLead) return { title, content: `### Patch Changes\n\n${updated}`, media: [] };

  const set = drawChangeSet(random, voice, planned, 'imperative');
  const isFirstLead = leads[0]?.packageName === planned.packageName;
  let isHashUsed = false;
  const bullet = ({ text }: { text: string }) => {
    const hash = isFirstLead && !isHashUsed ? planned.push?.hash : random.hex(7);
    isHashUsed = true;
    return `- ${hash}: ${capitalise(text)}`;
  };
  const block = (heading: string, items: { text: string }[]) =>
    items.length > 0 && `${heading}\n\n${items.map(bullet).join('\n')}`;
  const content = join([
    block('### Major Changes', set.breaking),
    upgradeSection(set.breaking, '#### Migration'),
    block('### Minor Changes', set.features),
    block('### Patch Changes', [...set.fixes, ...set.gains, ...set.security]),
    !isFirstLead && others.length > 0 && updated,
  ]);
  return { title, media: [], ...verdict(set), content };
}

function writeAutoNotes(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const set = drawChangeSet(random, voice, planned, 'imperative');
  const line = ({ text }: { text: string }) =>
    `* ${capitalise(text)} by @${random.pick(voice.authors)} in ${voice.home}/pull/${nextPull(random, voice)}`;
  const block = (heading: string, items: { text: string }[]) =>
    items.length > 0 && `${heading}\n${items.map(line).join('\n')}`;
  const plain = [...set.features, ...set.gains, ...set.fixes, ...set.security, ...set.chores];
  const isGrouped = plain.length > 7 && random.chance(0.6);
  const newcomer = `* @${random.pick(voice.authors)} made their first contribution in ${voice.home}/pull/${voice.pullRequest}`;
  const content = join([
    planned.step === 'major' && `This release is the start of the ${planned.number?.split('.')[0]}.x line.`,
    isGrouped || set.breaking.length > 0 ? "## What's Changed" : false,
    block('### Breaking Changes 🛠', set.breaking),
    upgradeSection(set.breaking, '### Upgrade guide'),
    ...(isGrouped
      ? [
          block('### New Features 🎉', set.features),
          block('### Bug Fixes 🐛', [...set.fixes, ...set.security]),
          block('### Other Changes', [...set.gains, ...set.chores]),
        ]
      : [block(set.breaking.length > 0 ? '### Other Changes' : "## What's Changed", plain)]),
    block('### Deprecations', set.deprecations),
    random.chance(0.25) && `## New Contributors\n${newcomer}`,
    `**Full Changelog**: ${voice.home}/compare/${planned.previousTag ?? 'main'}...${planned.tag}`,
  ]);
  return { title: versionTitle(random, voice, planned), media: [], ...verdict(set), content };
}

function writeSections(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const set = drawChangeSet(random, voice, planned, 'past');
  const isLarge = planned.step === 'minor' || planned.step === 'major' || planned.step === 'none';
  const picture = isLarge && random.chance(0.3) ? imageOf(random, voice, random.pick(voice.area.features)) : null;
  const [highlight] = random.sample(voice.area.launches, 1);
  const content = join([
    isLarge && highlight?.[1],
    picture && `![${picture.alt}](${picture.url})`,
    section('## 💥 Breaking changes', set.breaking),
    section('## ✨ New', set.features),
    isLarge && random.chance(0.4) && configBlock(random, voice),
    section('## 🚀 Improvements', set.gains),
    section('## 🐛 Fixes', set.fixes),
    section('## 🔒 Security', set.security),
    section('## ⏳ Deprecations', set.deprecations),
    upgradeSection(set.breaking, '## How to upgrade'),
    isLarge && random.chance(0.3) && measurementTable(random, voice),
    set.breaking.length === 0 && random.chance(0.1) && 'There are no breaking changes in this release.',
  ]);
  const title = planned.number ? `${voice.product} ${planned.number}` : voice.product;
  return { title, media: picture ? [picture] : [], ...verdict(set), content };
}

function writeTerse(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  if (random.chance(0.03)) return { title: planned.tag ?? voice.product, content: '', media: [] };
  const set = drawChangeSet(random, voice, planned, 'past');
  const items = [...set.security, ...set.deprecations, ...set.features, ...set.gains, ...set.fixes].slice(0, 6);
  const content = join([
    set.breaking.map((item) => `- **Breaking:** ${item.text} ${item.migration}`).join('\n'),
    items.map((item) => `- ${item.text}`).join('\n'),
  ]);
  return {
    title: planned.tag ?? voice.product,
    media: [],
    ...verdict(set),
    content: content || 'Maintenance release.',
  };
}

function drawChangeSet(random: Random, voice: Voice, planned: PlannedRelease, mood: Mood): ChangeSet {
  const size = SIZES[planned.step];
  const isYoung = planned.number?.startsWith('0.') ?? false;
  const draw = (kind: Change['kind'], [min, max]: readonly [number, number]) => {
    const length = Math.round(random.int(min, max) * voice.detail);
    const changes = Array.from({ length }, () => drawChange(random, voice, kind, mood));
    return [...new Map(changes.map((change) => [change.text, change])).values()];
  };
  const isBreaking = planned.step === 'major' || (planned.step === 'minor' && random.chance(isYoung ? 0.25 : 0.03));
  return {
    features: draw('feature', size.features),
    gains: draw('gain', size.gains),
    fixes: draw('fix', size.fixes),
    security: random.chance(planned.step === 'backport' ? 0.3 : 0.05) ? draw('security', [1, 1]) : [],
    deprecations: random.chance(planned.step === 'minor' ? 0.16 : 0.01) ? draw('deprecation', [1, 1]) : [],
    chores: draw('chore', size.chores),
    breaking: isBreaking ? distinctBreaking(random, voice, mood, planned.step === 'major' ? random.int(2, 4) : 1) : [],
  };
}

const SIZES = {
  major: { features: [4, 8], gains: [2, 5], fixes: [3, 7], chores: [1, 4] },
  minor: { features: [2, 6], gains: [0, 3], fixes: [2, 6], chores: [0, 3] },
  patch: { features: [0, 0], gains: [0, 1], fixes: [1, 4], chores: [0, 2] },
  backport: { features: [0, 0], gains: [0, 0], fixes: [1, 2], chores: [0, 0] },
  pre: { features: [1, 3], gains: [0, 2], fixes: [0, 3], chores: [0, 1] },
  none: { features: [1, 3], gains: [0, 2], fixes: [0, 3], chores: [0, 1] },
} as const;

function distinctBreaking(random: Random, voice: Voice, mood: Mood, count: number): BreakingChange[] {
  const found = new Map<string, BreakingChange>();
  for (let tries = 0; tries < count * 3 && found.size < count; tries++) {
    const change = drawBreaking(random, voice, mood);
    found.set(change.migration, change);
  }
  return [...found.values()];
}

function verdict(set: ChangeSet): Pick<Notes, 'breaking' | 'migrationNotes'> {
  if (set.breaking.length > 0) {
    return { breaking: 'major', migrationNotes: set.breaking.map((item) => item.migration).join('\n') };
  }
  return set.deprecations.length > 0 ? { breaking: 'minor' } : {};
}

function versionTitle(random: Random, voice: Voice, planned: PlannedRelease): string {
  const tag = planned.tag ?? voice.product;
  if (planned.step === 'major') return `${voice.product} ${planned.number}`;
  if (planned.step === 'minor' && random.chance(0.2)) return `${tag}: ${random.pick(voice.area.features)}`;
  return tag;
}

function nextPull(random: Random, voice: Voice): number {
  voice.pullRequest += random.int(1, 6);
  return voice.pullRequest;
}

function section(heading: string, items: { text: string }[]): string | false {
  return items.length > 0 && `${heading}\n\n${items.map((item) => `- ${item.text}`).join('\n')}`;
}

function join(blocks: (string | false | null | undefined)[]): string {
  return blocks.filter(Boolean).join('\n\n');
}
