// The releases of a folder of changelogs as an import would read them: version, step and body.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseChangelog } from '../../src/domain/changelog/entries.ts';
import {
  compareVersionKeys,
  isPrerelease,
  type ParsedVersion,
  parseVersion,
  versionStep,
} from '../../src/domain/versions/index.ts';
import type { VersionStep } from '../../src/domain/versions/parse.ts';

export interface CorpusEntry {
  // The file name without extension: `_acme_core` is the package `@acme/core`.
  package: string;
  version: string;
  title: string;
  body: string;
  // The first 12 hexadecimal digits of SHA-256 over the body with its white space collapsed.
  hash: string;
  parsed: ParsedVersion | null;
  previous: string | null;
  step: VersionStep | null;
  prerelease: boolean;
}

function bodyHash(body: string): string {
  return createHash('sha256').update(body.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 12);
}

export function namesOf(file: string): string[] {
  const [scope, name] = file.startsWith('_') ? file.slice(1).split('_') : [file];
  return name === undefined ? [file] : [`@${scope}/${name}`, scope ?? '', name];
}

export function readCorpus(folder: string): Map<string, CorpusEntry[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return new Map(
    files.sort().map((file) => {
      const name = file.slice(0, -'.md'.length);
      return [name, readChangelog(name, readFileSync(join(folder, file), 'utf8'))] as const;
    }),
  );
}

export function readChangelog(name: string, text: string): CorpusEntry[] {
  const seen = new Set<string>();
  const entries: CorpusEntry[] = [];
  for (const { version, title, body } of parseChangelog(text, { names: namesOf(name), now: new Date() })) {
    if (version === null || seen.has(version)) continue;
    seen.add(version);
    const parsed = parseVersion(version);
    entries.push({
      package: name,
      version,
      title,
      body,
      hash: bodyHash(body),
      parsed,
      previous: null,
      step: null,
      prerelease: isPrerelease(version),
    });
  }
  return withSteps(entries);
}

// The step from the greatest lower stable version; between pre-releases of one version there is none.
function withSteps(entries: CorpusEntry[]): CorpusEntry[] {
  const sorted = entries
    .filter((entry) => entry.parsed?.sortKey)
    .sort((a, b) => compareVersionKeys(a.parsed?.sortKey ?? '', b.parsed?.sortKey ?? ''));
  let stable: CorpusEntry | null = null;
  let before: CorpusEntry | null = null;
  for (const entry of sorted) {
    const parsed = entry.parsed as ParsedVersion;
    entry.previous = stable?.version ?? null;
    const follows = entry.prerelease && before?.prerelease && sameNumbers(before.parsed, parsed);
    entry.step = follows ? null : versionStep(parsed, stable?.parsed ?? null);
    if (!entry.prerelease) stable = entry;
    before = entry;
  }
  return entries;
}

function sameNumbers(a: ParsedVersion | null, b: ParsedVersion): boolean {
  return a !== null && a.numbers.join('.') === b.numbers.join('.');
}
