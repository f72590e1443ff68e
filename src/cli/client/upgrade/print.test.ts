import assert from 'node:assert/strict';
import { it } from 'node:test';
import { worstFirst } from './print.ts';

it('the worst release comes first, those of one verdict keep their order', () => {
  const verdicts = ['none', 'major', 'unknown', 'minor', 'major', 'none'] as const;
  const entries = verdicts.map((breaking, index) => ({ breaking, version: `1.${index}.0` }));

  assert.deepEqual(
    worstFirst(entries).map(({ version }) => version),
    ['1.1.0', '1.4.0', '1.3.0', '1.2.0', '1.0.0', '1.5.0'],
  );
});
