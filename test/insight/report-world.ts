// A registry with notes of every kind, and a project that goes from version 1.0.0 to 1.9.0 of all packages: each of the seven
// groups of a report has one, and there are copies, a git dependency, and one that nobody tracks.
import assert from 'node:assert/strict';
import type { App } from '../../src/app.ts';
import { as } from '../support/callers.ts';
import type { Answer } from '../support/client.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../support/factories.ts';
import type { Versions } from '../support/npm-registry.ts';
import { type Service, startService } from '../support/service.ts';

export const NOW = '2026-03-31T12:00:00.000Z';

// The notes of version 1.9.0 of each package.
const NOTES: Record<string, string> = {
  alpha: '### Breaking changes\n- Removed `open`. Use `connect` instead.',
  adverse: '### Breaking changes\n- Removed <img src=x> for @everyone, see #12 | `x`.',
  gamma: '### Fixed\n- A crash.',
  minor: '### Deprecated\n- `run` will go away.',
  safe: '### Security\n- Fixes CVE-2099-41107 in the parser.',
  soft: '### Deprecated\n- `run` will go away. Use `start` instead.',
  vague: 'Onwards!',
};
export const UNTOLD = 'untold';
const NAMES = [...Object.keys(NOTES), UNTOLD];

// Uses what changed in alpha and in soft.
export const CODE = "import { open } from 'alpha';\nimport { run } from 'soft';\nopen(run());\n";

export async function startReportService(app: App): Promise<Service> {
  const ctx = as(app.ctx, 'admin');
  const service = await startService(app);
  const org = await createOrg(ctx);
  for (const [name, content] of Object.entries(NOTES)) {
    const source = await createSource(ctx, { orgId: org.id, slug: name, name });
    await postReleases(ctx, source.id, [
      releaseRow('1.0.0', { publishedAt: '2026-01-01T00:00:00.000Z', content: '### Added\n- The first release.' }),
      releaseRow('1.5.0', { publishedAt: '2026-01-10T00:00:00.000Z', content: '### Fixed\n- A detail.' }),
      releaseRow('1.9.0', { publishedAt: '2026-02-01T00:00:00.000Z', content }),
    ]);
    const mapped = await service.root.put('/v1/packages', { ecosystem: 'npm', name, sourceId: source.id });
    assert.ok(mapped.status < 300, mapped.text);
  }
  return service;
}

export function lockfile(version: '1.0.0' | '1.9.0'): string {
  const isOld = version === '1.0.0';
  const installed = NAMES.map((name): [string, object] => [`node_modules/${name}`, { version }]);
  const others: [string, object][] = [
    ['node_modules/gamma/node_modules/alpha', { version: isOld ? '0.9.0' : '1.5.0' }],
    [
      'node_modules/theme',
      { version: '1.0.0', resolved: `git+https://x.example/theme#${isOld ? 'a' : 'b'}${'0'.repeat(39)}` },
    ],
    ...(isOld ? [] : [['node_modules/fresh', { version }] as [string, object]]),
  ];
  const ranges = Object.fromEntries(NAMES.map((name) => [name, '*']));
  const root = { name: 'house', dependencies: { ...ranges, theme: 'git+https://x.example/theme' } };
  return JSON.stringify({
    lockfileVersion: 3,
    packages: { '': root, ...Object.fromEntries([...installed, ...others]) },
  });
}

// The packages as they are published: their declarations tell of no change, so that the notes alone speak.
export function publishedPackages(): Record<string, Versions> {
  const text = ['open', 'run', 'x'].map((name) => `export declare function ${name}(): void;`).join('\n');
  const version = {
    manifest: { types: 'index.d.ts', main: 'index.js' },
    files: { 'index.js': '', 'index.d.ts': text },
  };
  const versions = { '0.9.0': version, '1.0.0': version, '1.5.0': version, '1.9.0': version };
  return Object.fromEntries([...NAMES, 'fresh'].map((name) => [name, versions]));
}

// A line as it reads: without marks of code, escapes and joiners.
export function bare(text: string): string {
  return text
    .replaceAll(/[`\\\u2060]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

// Package and reason of each row in the tables of a comment: what breaks, and what is not known.
export function commentRows(comment: string): [name: string, reason: string][] {
  return comment
    .split('\n')
    .filter((line) => /^\| (?!Risk|Package)/.test(line))
    .map((line) => {
      const cells = line.slice(2, -2).split(/(?<!\\) \| /);
      const isOfBreaks = /^(?:\*\*)?(?:Breaks|Security|May break)/.test(line.slice(2));
      const [name = '', , reason = ''] = isOfBreaks ? cells.slice(1) : cells;
      return [bare(name.replaceAll('**', '')).replace(/ \(.*\)$/, ''), bare(reason)];
    });
}

// The page that a form, or a question about a known package, leads to.
export async function followed(
  { anonymous, origin }: Pick<Service, 'anonymous' | 'origin'>,
  { headers, status, text }: Answer,
  more: Record<string, string> = {},
): Promise<Answer> {
  if (status !== 303) throw new Error(`${status} ${text}`);
  return anonymous.get(new URL(headers.get('location') ?? '', origin).pathname, more);
}
