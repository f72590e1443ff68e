import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DerivedNotes, deriveNotes } from './index.ts';

function derive(
  content: string,
  { step = 'major', version = '3.0.0' }: { step?: 'major' | 'minor'; version?: string },
) {
  return deriveNotes({
    title: version,
    content,
    version,
    versionNumbers: version.split('.'),
    step,
    prerelease: false,
    type: 'feature',
    origin: 'github',
    names: ['lamp'],
    displayName: 'Lamp',
  });
}

describe('a verdict rests on the number of the version alone', () => {
  const cases: [when: string, content: string, verdict: DerivedNotes['breaking'], byVersion: boolean][] = [
    ['where there is no text', '', 'major', true],
    ['where there is a link', '**Full Changelog**: https://example.com/compare/v2...v3', 'major', true],
    [
      'where what is told breaks nobody',
      '### Added\n- A lamp for the hall\n\n### Fixed\n- Crash on start',
      'major',
      true,
    ],
    ['not where the notes say what breaks', '- Removed `dim()`.', 'major', false],
    [
      'not where they name a small break, which the number makes a large one',
      '- `dim()` is deprecated.',
      'major',
      false,
    ],
    ['not below a heading that announces breaks', '## Breaking changes\n\nhttps://example.com/upgrade', 'major', false],
    ['not where they lead to a guide', 'See the [migration guide](https://example.com/migrate).', 'major', false],
    ['not where they deny it', 'No breaking changes. Added a lamp.', 'none', false],
  ];
  for (const [when, content, verdict, byVersion] of cases) {
    it(when, () => {
      const notes = derive(content, {});
      assert.deepEqual([notes.breaking, notes.byVersion], [verdict, byVersion]);
    });
  }

  it('never within a major version', () => {
    const notes = derive('- Removed `dim()`.', { step: 'minor', version: '2.4.0' });
    assert.deepEqual([notes.breaking, notes.byVersion], ['major', false]);
  });
});
