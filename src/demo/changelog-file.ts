import type { CastSource } from './cast.ts';
import type { Random } from './random.ts';
import { writeNotes } from './release-notes.ts';
import type { SourceDraft } from './sources.ts';
import { DAY_MS, type PlannedRelease } from './timeline.ts';
import type { DemoChangelogFile } from './types.ts';

// Above this a file is counted by estimate; the large file of the demo passes it with room to spare.
const LARGE_FILE_CHARS = 300_000;

// The files that the repository keeps beside its releases, canonical one first.
export function buildChangelogFiles(
  random: Random,
  draft: SourceDraft,
  { fetchedAt, now }: { fetchedAt: string; now: number },
): DemoChangelogFile[] {
  const { cast } = draft;
  if (!cast.changelog || !cast.repo) return [];
  const file = (path: string, content: string): DemoChangelogFile => ({
    path,
    url: `https://github.com/${cast.repo}/blob/main/${path}`,
    rawUrl: `https://raw.githubusercontent.com/${cast.repo}/main/${path}`,
    content,
    fetchedAt,
  });

  if (cast.changelog === 'per-package') {
    return (cast.packages ?? [])
      .slice(0, 2)
      .map((name) => file(`packages/${name.split('/').at(-1)}/CHANGELOG.md`, packageFile(draft, name, now)))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }
  const files = [file('CHANGELOG.md', mainFile(random, draft, cast, now))];
  const upgrading = cast.changelog === 'with-upgrading' ? upgradingFile(draft) : null;
  return upgrading ? [...files, file('UPGRADING.md', upgrading)] : files;
}

function mainFile(random: Random, draft: SourceDraft, cast: CastSource, now: number): string {
  const entries = stableRows(draft, now).map(({ planned, content }) => entry(planned, content));
  const head = '# Changelog\n\nAll notable changes to this project are written down in this file.\n\n## [Unreleased]';
  const parts = [head, ...entries];
  let length = parts.reduce((sum, part) => sum + part.length + 2, 0);

  const target = cast.changelog === 'large' ? LARGE_FILE_CHARS : 0;
  for (const planned of olderReleases(random, draft)) {
    if (length >= target) break;
    const text = entry(
      planned,
      writeNotes(random, draft.voice, { planned, style: cast.style ?? 'keep-a-changelog' }).content,
    );
    parts.push(text);
    length += text.length + 2;
  }
  return `${parts.join('\n\n')}\n`;
}

function packageFile(draft: SourceDraft, name: string, now: number): string {
  const entries = stableRows(draft, now)
    .filter(({ planned }) => planned.packageName === name)
    .map(({ planned, content }) => `## ${planned.number}\n\n${content}`);
  return `${[`# ${name}`, ...entries].join('\n\n')}\n`;
}

// Null when no release asked for anything.
function upgradingFile(draft: SourceDraft): string | null {
  const sections = draft.source.releases
    .flatMap((release, row) => {
      const number = draft.planned[row]?.number;
      if (!release.migrationNotes || !number || release.prerelease) return [];
      const steps = release.migrationNotes.split('\n').map((line) => `- ${line}`);
      return [`## Upgrading to ${number}\n\n${steps.join('\n')}`];
    })
    .reverse();
  if (sections.length === 0) return null;
  return `${['# Upgrading', 'Read every section between your version and the new one.', ...sections].join('\n\n')}\n`;
}

// Newest first; pre-releases and what is not out yet stay out of the file.
function stableRows(draft: SourceDraft, now: number): { planned: PlannedRelease; content: string }[] {
  return draft.planned
    .map((planned, row) => ({ planned, content: draft.source.releases[row]?.content ?? '' }))
    .filter(({ planned }) => !planned.isPrerelease && planned.at <= now)
    .reverse();
}

// Notes that bring their own version heading keep it; all others get one and move a level down below it.
function entry(planned: PlannedRelease, content: string): string {
  if (content.startsWith('## [')) return content;
  const day = planned.isDated ? ` - ${new Date(planned.at).toISOString().slice(0, 10)}` : '';
  const body = content.replaceAll(/^## /gm, '### ');
  const name = planned.packageName ? `${planned.packageName}@${planned.number}` : `[${planned.number}]`;
  return `## ${name}${day}${body ? `\n\n${body}` : ''}`;
}

// History before the first release of the registry, newest first, back to 1.0.0.
function* olderReleases(random: Random, draft: SourceDraft): Generator<PlannedRelease> {
  const first = draft.planned[0];
  if (!first?.number) return;
  let at = first.at;
  const newestMajor = Number(first.number.split('.')[0]) - 1;
  for (let major = newestMajor; major >= 1; major--) {
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
