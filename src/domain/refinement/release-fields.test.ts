import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unsupportedClaims } from './faithful.ts';
import { acceptedFields, type RefinedRelease } from './release-fields.ts';

describe('claims that a note does not hold', () => {
  const note =
    'Adds `useCache` to React 19.2 and drops Node 16. See https://acme.example/up for `--watch`. Thanks, Kim.';
  const table: [string, string[]][] = [
    ['Adds useCache for React 19.2', []],
    ['Adds `useCache` and drops Node 16', []],
    ['Drops Node 18', ['18']],
    ['Works with React 9.2', ['9.2']],
    ['Works with React 19', ['19']],
    ['Now works with Vue', ['Vue']],
    ['Vue is not mentioned at the start', []],
    ['Adds useMemo', ['useMemo']],
    ['Set `cache.mode` first', ['cache.mode']],
    ['See https://evil.example/up', ['https://evil.example/up']],
    ['See https://acme.example/up', []],
    ['A note in plain words says nothing new', []],
    ['Thanks to Kim', []],
    ['Version v19.2 has it', []],
  ];
  for (const [text, claims] of table) {
    it(JSON.stringify(text), () => assert.deepEqual(unsupportedClaims(text, [note]), claims));
  }
});

describe('what a model may change of a release', () => {
  const release: RefinedRelease = {
    title: 'v2.0.0',
    content:
      '### Added\n- Dark mode for the editor\n- Export to CSV\n\n### Fixed\n- Crash on start\n\nReplace `a` with `b`.',
    version: '2.0.0',
    names: ['Acme'],
    composition: { bugs: 1, features: 2, enhancements: 0 },
    breaking: 'unknown',
  };
  const table: [string, Record<string, unknown>, object][] = [
    [
      'a summary in other words',
      { summary: 'The editor of Acme gets a dark mode' },
      { summary: 'The editor of Acme gets a dark mode' },
    ],
    ['no invented product', { summary: 'The editor of Globex gets a dark mode' }, {}],
    ['no text that is too long', { titleShort: 'dark mode '.repeat(10) }, {}],
    ['no empty text', { summary: ' ' }, {}],
    ['no text that is none', { summary: 7, titleShort: null, titleGenerated: ['x'] }, {}],
    ['a verdict with its quote', { breaking: 'minor', breakingQuote: 'Replace `a` with `b`' }, { breaking: 'minor' }],
    ['no verdict without one', { breaking: 'minor' }, {}],
    ['no verdict with an invented one', { breaking: 'major', breakingQuote: 'Removed the old interface' }, {}],
    ['no verdict that does not exist', { breaking: 'huge', breakingQuote: 'Replace `a` with `b`' }, {}],
    [
      'instructions word for word',
      { breaking: 'major', breakingQuote: 'Replace `a` with `b`', migrationNotes: 'Replace `a` with `b`.' },
      { breaking: 'major', migrationNotes: 'Replace `a` with `b`.' },
    ],
    [
      'no instructions in other words',
      { breaking: 'major', breakingQuote: 'Replace `a` with `b`', migrationNotes: 'Use b for a' },
      { breaking: 'major' },
    ],
    ['no instructions where nothing breaks', { migrationNotes: 'Replace `a` with `b`.' }, {}],
    [
      'items sorted otherwise',
      { composition: { bugs: 1, features: 1, enhancements: 1 } },
      { composition: { bugs: 1, features: 1, enhancements: 1 } },
    ],
    ['no item more', { composition: { bugs: 2, features: 2, enhancements: 0 } }, {}],
    ['no item less', { composition: { bugs: 0, features: 2, enhancements: 0 } }, {}],
    ['no negative count', { composition: { bugs: -1, features: 4, enhancements: 0 } }, {}],
    ['a weight', { importance: 4 }, { importance: 4 }],
    ['no weight off the scale', { importance: 9 }, {}],
  ];
  for (const [name, reading, accepted] of table) {
    it(name, () => assert.deepEqual(acceptedFields(release, reading), accepted));
  }

  it('makes no other title for a release whose own says something', () => {
    const reading = { titleGenerated: 'Acme 2.0.0: Dark mode for the editor' };
    assert.deepEqual(acceptedFields(release, reading), reading);
    assert.deepEqual(acceptedFields({ ...release, title: 'Acme 2.0.0: the editor after dark' }, reading), {});
  });

  it('never takes the break out of a section that names it', () => {
    const broken = { ...release, content: '### Breaking changes\n- The old interface is gone\n' };
    assert.deepEqual(acceptedFields(broken, { breaking: 'none', breakingQuote: 'The old interface is gone' }), {});
  });
});
