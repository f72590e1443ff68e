import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreChangelog } from './eval-changelogs.ts';

const options = { names: ['acme'], now: new Date('2024-06-01T00:00:00Z') };

describe('scoreChangelog', () => {
  it('expects the listed versions that stand in headings, with the dates written beside them', () => {
    const text =
      '# Log\n\n## [1.2.0](https://x/compare/1.0.0...1.2.0) (Feb 1st, 2024)\n\n## 1.1.0\n\n_Released 2024-01-15_\n';

    const { notes, ...counts } = scoreChangelog(text, ['1.0.0', '1.1.0', '1.2.0'], options);

    assert.deepEqual(counts, { expected: 2, found: 2, dated: 2, datesRight: 2, right: 2, entries: 2, wrong: 0 });
    assert.deepEqual(notes, []);
  });

  it('names what was missed', () => {
    const { expected, found, notes } = scoreChangelog('## 1.2.0 | 1.2.1\n', ['1.2.0', '1.2.1'], options);

    assert.deepEqual([expected, found], [2, 1]);
    assert.deepEqual(notes, ['missed 1.2.1: ## 1.2.0 | 1.2.1']);
  });

  it('takes an unlisted version for right only when its heading begins with it', () => {
    const text = '## 1.3.0\n\n## acme 1.2.0 and 1.1.0\n';

    assert.equal(scoreChangelog(text, [], options).wrong, 0);
  });
});
