// The files that a repository has beside its releases, canonical one first.

import { DAY_MS, iso } from './dates.ts';
import { writeNotes } from './notes.ts';
import type { SourceDraft } from './sources.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoChangelogFile } from './types.ts';

// Above this a file is counted by estimate; the large file of the demo passes it with room to spare.
const LARGE_FILE_CHARS = 300_000;

export function buildChangelogFiles(draft: SourceDraft, today: number): DemoChangelogFile[] {
  const { changelog, packages } = draft.cast;
  const { url } = draft.source;
  const rawUrl = url.replace('github.com', 'raw.githubusercontent.com');
  const file = (path: string, blocks: string[]): DemoChangelogFile => ({
    path,
    url: `${url}/blob/main/${path}`,
    rawUrl: `${rawUrl}/main/${path}`,
    content: `${blocks.join('\n\n')}\n`,
    fetchedAt: iso(today),
  });

  if (!changelog) return [];
  if (changelog === 'per-package') {
    return packages
      .slice(0, 2)
      .map((name) => file(`packages/${name.split('/').at(-1)}/CHANGELOG.md`, packageBlocks(draft, name, today)))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }
  const main = file('CHANGELOG.md', mainBlocks(draft, today));
  const upgrading = changelog === 'with-upgrading' ? upgradingSections(draft) : [];
  if (upgrading.length === 0) return [main];
  return [
    main,
    file('UPGRADING.md', ['# Upgrading', 'Read every section between your version and the new one.', ...upgrading]),
  ];
}

function mainBlocks(draft: SourceDraft, today: number): string[] {
  const { cast, voice } = draft;
  const blocks = [
    '# Changelog',
    'All notable changes to this project are written down in this file.',
    '## [Unreleased]',
    ...stableRows(draft, today).map(({ planned, content }) => entry(planned, content)),
  ];
  let length = blocks.join('\n\n').length;
  for (const planned of cast.changelog === 'large' ? olderReleases(draft) : []) {
    if (length >= LARGE_FILE_CHARS) break;
    const text = entry(planned, writeNotes(voice, planned, cast.style).content);
    blocks.push(text);
    length += text.length + 2;
  }
  return blocks;
}

function packageBlocks(draft: SourceDraft, name: string, today: number): string[] {
  const own = stableRows(draft, today).filter(({ planned }) => planned.packageName === name);
  return [`# ${name}`, ...own.map(({ planned, content }) => `## ${planned.number}\n\n${content}`)];
}

function upgradingSections({ source, planned }: SourceDraft): string[] {
  const sections = source.releases.flatMap(({ migrationNotes, prerelease }, row) => {
    if (!migrationNotes || prerelease) return [];
    return [`## Upgrading to ${planned[row]?.number}\n\n${migrationNotes.replaceAll(/^/gm, '- ')}`];
  });
  return sections.reverse();
}

// Newest first; pre-releases and what is not out yet stay out of the file.
function stableRows({ planned, source }: SourceDraft, today: number) {
  return planned
    .map((release, row) => ({ planned: release, content: source.releases[row]?.content ?? '' }))
    .filter((row) => !row.planned.isPrerelease && row.planned.at <= today)
    .reverse();
}

// Notes that bring their own version heading stay as they are; all others get one and move a level down below it.
function entry({ isDated, at, packageName, number }: PlannedRelease, content: string): string {
  if (content.startsWith('## [')) return content;
  const day = isDated ? ` - ${iso(at).slice(0, 10)}` : '';
  const name = packageName ? `${packageName}@${number}` : `[${number}]`;
  return `## ${name}${day}\n\n${content.replaceAll(/^## /gm, '### ')}`.trimEnd();
}

// History before the first release of the registry, newest first, back to 1.0.0.
function* olderReleases({ planned: [first], voice: { random } }: SourceDraft): Generator<PlannedRelease> {
  if (!first?.number) return;
  let { at } = first;
  for (let major = Number.parseInt(first.number, 10) - 1; major >= 1; major--) {
    for (let minor = random.int(9, 16); minor >= 0; minor--) {
      for (let patch = random.int(0, 5); patch >= 0; patch--) {
        at -= random.int(3, 12) * DAY_MS;
        const number = `${major}.${minor}.${patch}`;
        const step = patch > 0 ? 'patch' : minor > 0 ? 'minor' : 'major';
        yield { ...first, at, number, tag: `v${number}`, previousTag: null, step, isPrerelease: false, isDated: true };
      }
    }
  }
}
