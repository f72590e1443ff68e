import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceRow } from '../../../test/support/adapter-input.ts';
import { identityKeys } from '../../domain/release-identity.ts';
import type { AdapterResult } from '../adapters/contract.ts';
import { inBatches } from './commit-run.ts';
import { lostIdentity, prepareRun } from './prepare.ts';
import { item } from './scripted.fixture.ts';
import type { FetchSubject, StoredItemKey } from './subject.ts';

const day = (date: number) => `2026-01-${String(date).padStart(2, '0')}T00:00:00.000Z`;

function row(date: number | null, more: Partial<StoredItemKey> = {}): StoredItemKey {
  const keys = { id: `rel_${date}`, identity_key: `u:${date}`, guid: null, url: null, version: null };
  const state = { origin: 'feed', suppressed: 0, suppressed_reason: null, suppressed_by: null };
  return { ...keys, ...state, published_at: date === null ? null : day(date), ...more };
}

const drafts = (...dates: (number | null)[]) =>
  dates.map((date) => ({ publishedAt: date === null ? null : day(date) }));
const stored = [1, 2, 3, 4, 5, 6].map((date) => row(date));
const undated = ['a', 'b', 'c'].map((id) => row(null, { id }));

describe('lostIdentity', () => {
  const cases: [string, Parameters<typeof lostIdentity>[0], boolean][] = [
    ['everything is still there', { drafts: drafts(1, 2, 3, 4, 5, 6, 7), found: stored, stored }, false],
    ['nothing is found again', { drafts: drafts(1, 2, 3, 4, 5, 6), found: [], stored }, true],
    ['exactly half is found', { drafts: drafts(1, 2, 3, 4, 5, 6), found: stored.slice(3), stored }, false],
    ['less than half is found', { drafts: drafts(1, 2, 3, 4, 5, 6), found: stored.slice(4), stored }, true],
    ['older ones have left the document', { drafts: drafts(5, 6, 7), found: stored.slice(4), stored }, false],
    ['all that is shown is newer', { drafts: drafts(20, 21, 22), found: [], stored }, false],
    ['too few to tell', { drafts: drafts(5, 6), found: [], stored: stored.slice(4) }, false],
    ['an empty document', { drafts: [], found: [], stored }, false],
    ['nothing was stored', { drafts: drafts(1, 2, 3), found: [], stored: [] }, false],
    ['undated entries, none found', { drafts: drafts(null, null, null), found: [], stored: undated }, true],
    ['undated rows in a dated document', { drafts: drafts(1, 2), found: [], stored: undated }, false],
    [
      'rows of an operator',
      { drafts: drafts(1, 2, 3), found: [], stored: stored.map((one) => ({ ...one, origin: 'api' })) },
      false,
    ],
    [
      'suppressed rows',
      { drafts: drafts(1, 2, 3), found: [], stored: stored.map((one) => ({ ...one, suppressed: 1 })) },
      false,
    ],
  ];
  for (const [name, comparison, lost] of cases) {
    it(`${lost ? 'holds' : 'does not hold'}: ${name}`, () => {
      assert.equal(lostIdentity(comparison), lost);
    });
  }
});

describe('a repository with very many tags', () => {
  const source = sourceRow({ type: 'github', url: 'https://github.com/acme/app' });
  const items = Array.from({ length: 20_000 }, (_, at) => item(`1.${at}.0`, { content: '', publishedAt: null }));
  const subject = { source, reader: 'github', stored: { rows: [], find: () => null } } as unknown as FetchSubject;

  // Counts how often others had their turn meanwhile.
  async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const result = await work();
    isOver = true;
    return { turns, result };
  }

  it('is compared and split in several turns, with the same keys', async () => {
    const found = { items, complete: true, outcome: 'success' } as unknown as AdapterResult;
    const prepared = await turnsDuring(() => prepareRun(subject, found));
    assert.ok(prepared.turns > 1);
    const expected = identityKeys(items.toReversed(), new Set());
    assert.deepEqual(prepared.result.keys, expected);
    const split = await turnsDuring(() => inBatches(prepared.result, source));
    assert.ok(split.turns > 1);
    assert.deepEqual(
      split.result.flatMap(({ keys }) => keys),
      expected,
    );
  });
});
