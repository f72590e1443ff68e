import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { createOutput } from '../output.ts';
import { printAnswer, printBreaks } from './print.ts';

const ENTRY: WhatsChanged['entries'][number] = {
  id: 'rel_9',
  version: '9.0.0',
  publishedAt: null,
  title: 'Nine',
  summary: '',
  breaking: 'major',
  migrationNotes: null,
  importance: null,
  prerelease: false,
  composition: null,
  withdrawn: true,
  url: null,
  webUrl: 'https://registry.example/release/rel_9',
};

const CUT: WhatsChanged = {
  status: 'resolved',
  package: 'engine',
  ecosystem: null,
  from: '1.0.0',
  to: '9.0.0',
  fromVersion: '1.0.0',
  toVersion: '9.0.0',
  source: null,
  matchedBy: 'slug',
  alsoMatches: [{ ecosystem: 'npm', package: 'engine', sourceSlug: 'engine-js', orgSlug: 'acme' }],
  entries: [ENTRY],
  count: 1,
  total: 30,
  summary: { breaking: { major: 3, minor: 0, none: 27, unknown: 0 }, firstBreaking: '2.0.0' },
  worst: 'major',
  omittedPrereleases: 0,
  history: { lowest: '1.0.0', highest: '9.0.0', checkedAt: null, tracked: true, complete: true },
  truncated: true,
  omitted: 29,
  continue: { from: '1.0.0', to: '8.0.0' },
  omittedBreaking: [
    { id: 'rel_2', version: '2.0.0', breaking: 'major', title: 'Two', step: '- Use `fresh()` instead.' },
    { id: 'rel_3', version: '3.0.0', breaking: 'major', title: 'Three\u001b[31m', step: null },
  ],
};

function printed(columns: number | undefined, print: (output: ReturnType<typeof createOutput>) => void): string {
  const lines: string[] = [];
  const terminal = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  };
  print(createOutput({ terminal, flags: {}, palette: (_, text) => text }));
  return lines.join('\n');
}

describe('printAnswer', () => {
  it('names every break that is left out before the newest entries, and how to read the older part', () => {
    const terminal = printed(80, (output) => printAnswer(output, CUT));
    const pipe = printed(undefined, (output) => printAnswer(output, CUT));

    assert.match(
      terminal,
      /2\.0\.0 {2}major {2}Two\n {2}First step: Use `fresh\(\)` instead\.?\n[\s\S]*3\.0\.0 {2}major[\s\S]*9\.0\.0/,
    );
    assert.match(terminal, /withdrawn by its author/);
    assert.match(terminal, /29 older releases of the range are left out; ask for 1\.0\.0 to 8\.0\.0 to read them/);
    assert.match(pipe, /\nomitted\t2\.0\.0\tmajor\tTwo\tUse `fresh\(\)` instead\.?\nomitted\t3\.0\.0\tmajor\t/);
    assert.ok(!pipe.includes('\u001b'));
  });

  it('says by which rule the source was found, and what else the name could mean', () => {
    const pipe = printed(undefined, (output) => printAnswer(output, CUT));

    assert.match(pipe, /\nfound by\tthe name of the source\n/);
    assert.match(pipe, /\nalso\tthe npm package engine is acme\/engine-js; add --ecosystem npm if you mean it\n/);
  });

  it('names them for a package of a lockfile too', () => {
    const terminal = printed(80, (output) => printBreaks(output, 'engine', { ...CUT, entries: [] }));

    assert.match(terminal, /engine\n\n2\.0\.0 {2}major {2}Two/);
  });
});
