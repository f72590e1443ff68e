import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOverviewDue } from './due.ts';
import { type OverviewCandidate, selectCandidates } from './select.ts';

function candidates(count: number, more: Partial<OverviewCandidate> & { sourceId: string }): OverviewCandidate[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${more.sourceId}-${String(index).padStart(2, '0')}`,
    sourceType: 'feed',
    productId: null,
    importance: 3,
    breaking: 'none',
    feedAt: `2026-01-${String(index + 1).padStart(2, '0')}T00:00:00.000Z`,
    ...more,
  }));
}

describe('selectCandidates', () => {
  it('prefers importance, then the date', () => {
    const [old, recent] = candidates(2, { sourceId: 'a' }) as [OverviewCandidate, OverviewCandidate];
    const important: OverviewCandidate = { ...old, id: 'big', importance: 5 };
    const unknown: OverviewCandidate = { ...recent, id: 'unknown', importance: null };

    const chosen = selectCandidates([unknown, old, recent, important], 10);

    assert.deepEqual(
      chosen.map(({ id }) => id),
      ['big', recent.id, old.id, 'unknown'],
    );
  });

  it('takes at most 10 of a GitHub source and 20 of another', () => {
    const all = [
      ...candidates(30, { sourceId: 'code', sourceType: 'github' }),
      ...candidates(30, { sourceId: 'blog' }),
    ];

    const bySource = Map.groupBy(selectCandidates(all, 200), ({ sourceId }) => sourceId);

    assert.deepEqual([bySource.get('code')?.length, bySource.get('blog')?.length], [10, 20]);
  });

  it('shares the places between products, whatever their noise', () => {
    const loud = [
      ...candidates(20, { sourceId: 'l1', productId: 'loud', importance: 5 }),
      ...candidates(20, { sourceId: 'l2', productId: 'loud', importance: 5 }),
    ];
    const quiet = candidates(3, { sourceId: 'q', productId: 'quiet', importance: 1 });

    const chosen = selectCandidates([...loud, ...quiet], 8);

    assert.deepEqual([chosen.length, chosen.filter(({ productId }) => productId === 'quiet').length], [8, 3]);
  });
});

describe('isOverviewDue', () => {
  const now = new Date('2026-03-31T00:00:00.000Z');
  const page = (days: number) => {
    const at = new Date(now.getTime() - days * 86_400_000).toISOString();
    return { generated_at: at, updated_at: at };
  };
  const cases: [string, number, number | null, ReturnType<typeof page> | undefined, number, boolean][] = [
    ['none yet, with a release', 1, null, undefined, 1, true],
    ['none yet, without one', 1, null, undefined, 0, false],
    ['switched off', 0, null, undefined, 5, false],
    ['a week old with a new release', 1, null, page(7), 1, true],
    ['younger than a week', 1, null, page(6), 14, false],
    ['two days old and busy', 1, null, page(2), 15, true],
    ['old without a new release', 1, null, page(100), 0, false],
    ['its own cadence reached', 1, 3, page(3), 1, true],
    ['its own cadence not reached', 1, 30, page(29), 50, false],
  ];
  for (const [title, auto, cadence, stored, newReleases, expected] of cases) {
    it(title, () => {
      const org = { auto_generate_content: auto, overview_cadence_days: cadence };
      assert.equal(isOverviewDue({ org, page: stored, newReleases, now }), expected);
    });
  }
});
