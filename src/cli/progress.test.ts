import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createProgress } from './progress.ts';

function setUp(isTTY: boolean, total = 1000) {
  const written: string[] = [];
  let at = 0;
  const stream = { isTTY, columns: 100, write: (text: string) => written.push(text) };
  const progress = createProgress({ label: 'releases', total, stream, now: () => at });
  return {
    written,
    progress,
    move: (seconds: number) => {
      at += seconds * 1000;
    },
  };
}

describe('progress', () => {
  it('draws a bar with rate and time left on a terminal, not more often than the eye follows', () => {
    const { progress, written, move } = setUp(true);

    move(2);
    progress.update(250);
    progress.update(251);
    move(0.1);
    progress.update(500);

    assert.equal(written.length, 2);
    assert.equal(written[0], `\r\x1b[Kreleases ${'█'.repeat(6)}${'░'.repeat(18)} 25 %  125/s  6 s left`);
    assert.match(written[1] ?? '', / 50 % {2}238\/s {2}2 s left$/);
  });

  it('writes a plain line every ten seconds elsewhere', () => {
    const { progress, written, move } = setUp(false, 100_000);

    for (let second = 1; second <= 25; second += 1) {
      move(1);
      progress.update(second * 1000);
    }
    progress.finish();

    assert.deepEqual(written, [
      'releases: 10,000 of 100,000, 1,000/s, 1 min 30 s left\n',
      'releases: 20,000 of 100,000, 1,000/s, 1 min 20 s left\n',
      'releases: 25,000 in 25.0 s (1,000/s)\n',
    ]);
  });

  it('keeps the line shorter than the terminal', () => {
    const { progress, written, move } = setUp(true);

    move(1);
    progress.update(1);

    assert.ok((written[0] ?? '').length <= 100 + '\r\x1b[K'.length);
  });
});
