import { readdirSync, readFileSync } from 'node:fs';
import { isPrerelease, parseVersion, versionStep } from '../../versions/index.ts';
import { type DerivedNotes, deriveNotes } from '../index.ts';
import type { BreakingVerdict } from '../types.ts';

export type LabelledRelease = {
  style: string;
  label: BreakingVerdict;
  version: string | null;
  // The greatest lower stable version.
  after: string | null;
  title: string;
  notes: string;
};

const HEAD = /^== (?<label>major|minor|none|unknown) (?<version>\S+)(?: after (?<after>\S+))?(?: \| (?<title>.+))?$/;

// Each file holds one style; a head `== label version after previous | title` precedes the notes of each release.
export function readLabelledReleases(): LabelledRelease[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.txt'))
    .flatMap((name) => {
      const text = readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
      return text.split(/^(?=== )/m).map((part) => readOne(name.replace('.txt', ''), part));
    });
}

function readOne(style: string, text: string): LabelledRelease {
  const [head = '', ...lines] = text.split('\n');
  const groups = HEAD.exec(head.trimEnd())?.groups;
  if (!groups) throw new Error(`${style}: unreadable head ${head}`);
  const version = groups.version === '-' ? null : (groups.version ?? null);
  return {
    style,
    label: groups.label as BreakingVerdict,
    version,
    after: groups.after ?? null,
    title: groups.title ?? version ?? 'Release',
    notes: lines.join('\n').trim(),
  };
}

// The fields that the service derives; versions of app stores have no step.
export function deriveLabelled({ style, version, after, title, notes }: LabelledRelease): DerivedNotes {
  const parsed = version ? parseVersion(version) : null;
  return deriveNotes({
    title,
    content: notes,
    version,
    versionNumbers: parsed?.numbers ?? [],
    step: parsed && style !== 'app-stores' ? versionStep(parsed, after ? parseVersion(after) : null) : null,
    prerelease: isPrerelease(version),
    type: 'feature',
    origin: 'release',
    names: ['Acme'],
    displayName: 'Acme',
  });
}
