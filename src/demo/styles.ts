// The grammar of each style of notes that lists changes: its headings, its lines, and what stands around them.
import { configBlock, measurementTable } from './blocks.ts';
import type { ReleaseStyle } from './cast.ts';
import { type BreakingChange, capitalise, fill } from './changes.ts';
import { type ChangeKind, type Mood, SCOPES } from './frames.ts';
import type { PlannedRelease } from './timeline.ts';
import type { Voice } from './voice.ts';

export type ChangeSet = Record<ChangeKind, string[]> & { breaking: BreakingChange[] };
// The text below a heading; `upgrade` describes what the breaking changes require.
type Section = readonly [heading: string, ...kinds: (ChangeKind | 'breaking' | 'upgrade')[]];

export interface Style {
  mood: Mood;
  sections(voice: Voice, set: ChangeSet): readonly Section[];
  // Between a heading and its list.
  gap?: string;
  line(voice: Voice, planned: PlannedRelease): (text: string) => string;
  // The tag unless given.
  title?(voice: Voice, planned: PlannedRelease): string;
  // Texts before and after the sections.
  opening?(voice: Voice, planned: PlannedRelease): string | false;
  closing?(voice: Voice, planned: PlannedRelease, set: ChangeSet): (string | false)[];
}

// biome-ignore format: the headings of a style stand together
const SECTIONS = {
  'keep-a-changelog': [['### Breaking', 'breaking'], ['### Added', 'feature'], ['### Changed', 'gain'],
    ['### Deprecated', 'deprecation'], ['### Fixed', 'fix'], ['### Security', 'security'], ['### Upgrading', 'upgrade']],
  conventional: [['### ⚠ BREAKING CHANGES', 'breaking'], ['### Features', 'feature'],
    ['### Bug Fixes', 'fix', 'security'], ['### Performance Improvements', 'gain'],
    ['### Deprecations', 'deprecation'], ['### Migration', 'upgrade']],
  changesets: [['### Major Changes', 'breaking'], ['#### Migration', 'upgrade'], ['### Minor Changes', 'feature'],
    ['### Patch Changes', 'fix', 'gain', 'security']],
  flat: [["## What's Changed", 'feature', 'gain', 'fix', 'security', 'chore'], ['### Deprecations', 'deprecation']],
  grouped: [["## What's Changed"], ['### Breaking Changes 🛠', 'breaking'], ['### Upgrade guide', 'upgrade'],
    ['### New Features 🎉', 'feature'], ['### Bug Fixes 🐛', 'fix', 'security'],
    ['### Other Changes', 'gain', 'chore'], ['### Deprecations', 'deprecation']],
  sections: [['## 💥 Breaking changes', 'breaking'], ['## ✨ New', 'feature'], ['## 🚀 Improvements', 'gain'],
    ['## 🐛 Fixes', 'fix'], ['## 🔒 Security', 'security'], ['## ⏳ Deprecations', 'deprecation'],
    ['## How to upgrade', 'upgrade']],
} satisfies Record<string, readonly Section[]>;

const plain = () => (text: string) => `- ${text}`;
const compare = ({ home }: Voice, { previousTag, tag }: PlannedRelease) =>
  `${home}/compare/${previousTag ?? 'main'}...${tag}`;
const isLarge = ({ step }: PlannedRelease) => step === 'minor' || step === 'major' || step === 'none';

export const STYLES: Record<Exclude<ReleaseStyle, 'terse'>, Style> = {
  'keep-a-changelog': {
    mood: 'past',
    sections: () => SECTIONS['keep-a-changelog'],
    line: plain,
    title: versionTitle,
    opening: (voice, { step }) =>
      step === 'minor' &&
      voice.random.chance(0.12) &&
      fill(voice, 'This release is about {feature}: {part} now {gain}.'),
    closing: (voice, { step }) => [step === 'minor' && voice.random.chance(0.15) && measurementTable(voice)],
  },
  conventional: {
    mood: 'imperative',
    sections: () => SECTIONS.conventional,
    line: (voice) => (text) => {
      const hash = voice.random.hex(7);
      const scope = voice.random.chance(0.7) ? `**${voice.random.pick(SCOPES)}:** ` : '';
      const pull = nextPull(voice);
      return `* ${scope}${text} ([#${pull}](${voice.home}/issues/${pull})) ([${hash}](${voice.home}/commit/${hash}))`;
    },
    opening: (voice, planned) =>
      `## [${planned.number}](${compare(voice, planned)}) (${new Date(planned.at).toISOString().slice(0, 10)})`,
  },
  changesets: {
    mood: 'imperative',
    sections: () => SECTIONS.changesets,
    // The first entry of the leading package is the commit that the others follow.
    line: (voice, { push, packageName }) => {
      const hashes = push?.leads[0]?.packageName === packageName && push ? [push.hash] : [];
      return (text) => `- ${hashes.pop() ?? voice.random.hex(7)}: ${capitalise(text)}`;
    },
    closing: (_, planned) => [
      planned.push?.leads[0]?.packageName !== planned.packageName && updatedDependencies(planned),
    ],
  },
  'auto-notes': {
    mood: 'imperative',
    sections: ({ random }, { breaking, feature, gain, fix, security, chore }) =>
      breaking.length > 0 || ([feature, gain, fix, security, chore].flat().length > 7 && random.chance(0.6))
        ? SECTIONS.grouped
        : SECTIONS.flat,
    gap: '\n',
    line: (voice) => (text) =>
      `* ${capitalise(text)} by @${voice.random.pick(voice.authors)} in ${voice.home}/pull/${nextPull(voice)}`,
    title: versionTitle,
    opening: (_, { step, number }) =>
      step === 'major' && `This release is the start of the ${number?.split('.')[0]}.x line.`,
    closing: (voice, planned) => [
      voice.random.chance(0.25) &&
        `## New Contributors\n* @${voice.random.pick(voice.authors)} made their first contribution in ${voice.home}/pull/${voice.pullRequest}`,
      `**Full Changelog**: ${compare(voice, planned)}`,
    ],
  },
  sections: {
    mood: 'past',
    sections: () => SECTIONS.sections,
    line: plain,
    title: ({ product }, { number }) => (number ? `${product} ${number}` : product),
    opening: ({ random, area }, planned) => isLarge(planned) && random.pick(area.launches)[1],
    closing: (voice, planned, { breaking }) => [
      isLarge(planned) && voice.random.chance(0.3) && `## Try it\n\n${configBlock(voice)}`,
      isLarge(planned) && voice.random.chance(0.3) && measurementTable(voice),
      breaking.length === 0 && voice.random.chance(0.1) && 'There are no breaking changes in this release.',
    ],
  },
};

function versionTitle({ random, product, area }: Voice, { step, tag, number }: PlannedRelease): string {
  if (step === 'major') return `${product} ${number}`;
  return step === 'minor' && random.chance(0.2) ? `${tag}: ${random.pick(area.features)}` : (tag ?? product);
}

function nextPull(voice: Voice): number {
  voice.pullRequest += voice.random.int(1, 6);
  return voice.pullRequest;
}

// What a package says that only follows others; false without others.
export function updatedDependencies({ push, packageName }: PlannedRelease): string | false {
  const others = push?.leads.filter((lead) => lead.packageName !== packageName) ?? [];
  const lines = others.map((lead) => `  - ${lead.packageName}@${lead.number}`);
  return lines.length > 0 && `- Updated dependencies [${push?.hash}]\n${lines.join('\n')}`;
}
