// The cases of a truth set of changelogs: packages as they were published, and invented ones with a fault each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareApi } from '../../src/domain/evidence/compare.ts';
import { packageOf } from '../../src/domain/evidence/package-files.ts';
import type { LintInput } from '../../src/domain/lint/lint-changelog.ts';
import { packageNames } from '../../src/domain/lint/package-names.ts';

interface LintCase {
  id: string;
  // Made when it is measured, because the comparison of packages belongs to what is measured.
  input(): LintInput;
}

interface HealthyCase {
  package: string;
  newest: string;
  older: string;
  file_newest: string;
  file_older: string;
  versions: string[];
}

interface PublishedState {
  now: string;
  phase: 'before' | 'after';
  last: string;
  versions: string[];
  unpublished?: string[];
}

export function readLintCases(folder: string): LintCase[] {
  const of = (kind: string, read: (path: string) => LintInput) =>
    readdirSync(join(folder, kind))
      .sort()
      .map((name) => ({ id: `${kind}/${name}`, input: () => read(join(folder, kind, name)) }));
  return [...of('faulty', faultyCase), ...of('healthy', healthyCase)];
}

function healthyCase(path: string): LintInput {
  const { package: name, newest, older, versions, ...files } = jsonAt<HealthyCase>(join(path, 'case.json'));
  return {
    text: textAt(join(path, 'newest.md')),
    path: files.file_newest,
    packageName: name,
    now: new Date(),
    published: { coming: null, last: newest, versions, unpublished: [] },
    archived: { text: textAt(join(path, 'older.md')), path: files.file_older, version: older },
    compared: null,
  };
}

function faultyCase(path: string): LintInput {
  const state = jsonAt<PublishedState>(join(path, 'published.json'));
  const { name, version } = jsonAt<{ name: string; version: string }>(join(path, 'package.json'));
  const [old, next] = [packageIn(join(path, 'old')), packageIn(join(path, 'new'))];
  const archive = join(path, 'old', 'CHANGELOG.md');
  return {
    text: textAt(join(path, 'CHANGELOG.md')),
    path: 'CHANGELOG.md',
    packageName: name,
    now: new Date(`${state.now}T12:00:00Z`),
    published: {
      coming: state.phase === 'before' ? version : null,
      last: state.last,
      versions: state.versions,
      unpublished: state.unpublished ?? [],
    },
    archived: existsSync(archive) ? { text: textAt(archive), path: 'CHANGELOG.md', version: old?.version ?? '' } : null,
    compared:
      old && next
        ? {
            from: old.version,
            to: next.version,
            findings: compareApi(old, next).findings,
            old: packageNames(old, new Map()),
            next: packageNames(next, new Map()),
          }
        : null,
  };
}

function packageIn(folder: string) {
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:json|[cm]?[jt]sx?)$/.test(name),
  );
  return packageOf(new Map(names.map((name) => [name, textAt(join(folder, name))])));
}

function textAt(path: string): string {
  return readFileSync(path, 'utf8');
}

function jsonAt<T>(path: string): T {
  return JSON.parse(textAt(path));
}
