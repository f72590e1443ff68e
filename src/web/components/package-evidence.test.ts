import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { packageRow } from './package-evidence.ts';

test('a package that no registry has listed is not called one that is not available', () => {
  const row = (published: number | null) => {
    const evidence = { status: 'not_available', pairs: [], counts: { proven: 0, likely: 0 } };
    return String(packageRow({ evidence, entries: [], history: { published } } as unknown as WhatsChanged));
  };
  assert.match(row(null), /not listed here yet.*once this registry has read npm/);
  assert.match(row(4), /is not available/);
});
