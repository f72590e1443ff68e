import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { load } from 'cheerio';
import type { ReadingState } from '../../contract/reading.ts';
import { readingBox } from './reading.ts';

const reading = (more: Partial<ReadingState>): ReadingState => ({
  id: 'rdg_x',
  state: 'running',
  startedAt: null,
  waitAhead: 0,
  parts: [
    { part: 'listing', state: 'done', text: 'Its versions' },
    { part: 'comparison', state: 'failed', text: 'The two packages side by side' },
    { part: 'steps', state: 'waiting', text: 'The steps between' },
  ],
  ...more,
});
const shown = (more: Partial<ReadingState>) => {
  const page = load(String(readingBox(reading(more), '/again', 0)));
  const rows = page('li').toArray();
  return [page('h3').text(), page('[role=status]').text(), ...rows.map((row) => page(row).text())];
};

describe('what is being read', () => {
  it('tells every part while it goes on', () => {
    assert.deepEqual(shown({}).slice(2), [
      'Its versions done',
      'The two packages side by side failed',
      'The steps between waits',
    ]);
  });

  it('says why it stopped, and nothing waits any more', () => {
    assert.deepEqual(shown({ state: 'failed', reason: 'npm did not answer' }), [
      'It could not be read',
      'It stopped: npm did not answer.',
      'Its versions done',
    ]);
  });
});
