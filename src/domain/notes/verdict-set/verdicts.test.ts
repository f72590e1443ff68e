import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readBody } from '../index.ts';
import { deriveLabelled, type LabelledRelease, readLabelledReleases } from './labelled-releases.fixture.ts';

// Labels say what a careful engineer would answer to "does this break me?", by the notes alone: major when somebody who
// uses the software as documented has to act, minor when it goes on working for now or hardly anybody will notice,
// none when it is safe, unknown when the notes do not tell.
const judged = readLabelledReleases().map((release) => ({ release, verdict: deriveLabelled(release).breaking }));
const count = (of: (one: (typeof judged)[number]) => boolean) => judged.filter(of).length;
const name = ({ style, version, title, notes }: LabelledRelease) =>
  `${style} ${version ?? title}: ${notes.replace(/\s+/g, ' ').slice(0, 90)}`;

describe('verdicts on labelled releases', () => {
  it('judges at least 300 releases of many styles', () => {
    assert.ok(judged.length >= 300);
    assert.ok(new Set(judged.map(({ release }) => release.style)).size >= 10);
  });

  it('finds the breaking ones', (t) => {
    const right = count(({ release, verdict }) => release.label === 'major' && verdict === 'major');
    const precision = right / count(({ verdict }) => verdict === 'major');
    const recall = right / count(({ release }) => release.label === 'major');
    const agreed = count(({ release, verdict }) => release.label === verdict) / judged.length;
    const missed = judged.filter(({ release, verdict }) => (release.label === 'major') !== (verdict === 'major'));
    t.diagnostic(
      `${judged.length} releases: precision of major ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, same verdict ${agreed.toFixed(3)}`,
    );
    const misread = missed.map(({ release, verdict }) => `${release.label} read as ${verdict}: ${name(release)}`);
    assert.ok(precision >= 0.9 && recall >= 0.85, misread.join('\n'));
  });

  it('never says none below a heading that announces breaks or removals, unless the section denies it', () => {
    const announced = judged.filter(({ release }) =>
      readBody(release.notes).sections.some(
        (section) => (section.class === 'breaking' || section.class === 'removed') && section.filled,
      ),
    );
    assert.ok(announced.length >= 20);
    const wrong = announced.filter(({ release, verdict }) => verdict === 'none' && release.label !== 'none');
    assert.deepEqual(
      wrong.map(({ release }) => name(release)),
      [],
    );
  });

  // Removals, defaults and deprecations that are only mentioned, beside those that users notice.
  for (const { release, verdict } of judged.filter(({ release }) => release.style === 'mentions')) {
    it(`${release.label}: ${name(release)}`, () => assert.equal(verdict, release.label));
  }

  it('additions alone get one verdict, in whatever words a source tells them', () => {
    const tellings = [
      '### Added\n- Hooks',
      '- Added hooks',
      '### Features\n* **editor:** hooks',
      '- feat: hooks',
      '#### :rocket: New Feature\n- Hooks',
      '### New additions\n- `hooks`: one for each event',
      '- [New] hooks',
      '- Expose `hooks`',
      '- Ability to use hooks',
      'This release adds hooks.',
      '### Added\n- Deprecated types and their hooks',
    ];
    const verdictOf = (version: string, after: string | null, notes: string) =>
      deriveLabelled({ style: 'additions', label: 'none', version, after, title: version, notes }).breaking;
    for (const notes of tellings) {
      assert.equal(verdictOf('1.3.0', '1.2.0', notes), 'none', notes);
      assert.equal(verdictOf('0.6.0', '0.5.0', notes), 'unknown', notes);
    }
  });
});
