import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readChangelog } from './eval-verdicts/corpus.ts';
import { matchLabels, readLabels } from './eval-verdicts/labels.ts';
import { drawSample, partOf } from './eval-verdicts/sample.ts';
import { bars, score } from './eval-verdicts/score.ts';
import { judge } from './eval-verdicts.ts';

const TEXT = [
  '## 1.2.0',
  '- Removed IMarkupPage.docId',
  '## 1.1.0',
  '- Fixed the CI matrix',
  '## 1.0.0',
  '- First',
].join('\n');

describe('evaluation of verdicts', () => {
  const corpus = new Map([['acme', readChangelog('acme', TEXT)]]);

  it('holds enough labels of many packages in both parts', () => {
    const labels = readLabels();
    assert.ok(labels.length >= 600 && new Set(labels.map((label) => label.package)).size >= 100);
    const scored = labels.filter((label) => partOf(label.package) === 'scored').length;
    assert.ok(scored >= 300 && labels.length - scored >= 300);
  });

  it('matches by package and version, and tells what is missing or has another text', () => {
    const label = { package: 'acme', stratum: 'random', hash: '0', label: 'major' } as const;
    const found = matchLabels(
      [
        { ...label, version: '1.2.0' },
        { ...label, version: '9.9.9' },
      ],
      corpus,
    );
    assert.deepEqual([found.pairs.length, found.changed.length, found.missing.length], [1, 1, 1]);
  });

  it('scores what was called', () => {
    const entries = corpus.get('acme') ?? [];
    const judged = entries.map((entry) => ({
      label: { package: 'acme', version: entry.version, stratum: 'random', hash: entry.hash, label: 'major' } as const,
      entry,
      verdict: judge(entry).breaking,
    }));
    assert.deepEqual(
      judged.map(({ verdict }) => verdict),
      ['major', 'none', 'unknown'],
    );
    assert.equal(score(judged).calledNone, 1);
    assert.equal(bars(judged).find(({ name }) => name === 'majors called none')?.passed, false);
    assert.equal(drawSample(corpus).length, 2);
  });
});
