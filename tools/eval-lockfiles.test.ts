import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readTruth } from './eval-lockfiles/truth.ts';
import { scoreRows } from './eval-lockfiles.ts';

const row = { name: 'a', from: '1.0.0', to: '2.0.0', direct: true, dev: false, source: 'registry' };

describe('eval:lockfiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-eval-lockfiles-'));
  after(() => rmSync(folder, { recursive: true }));

  it('counts exact, near and invented rows', () => {
    const found = [row, { ...row, name: 'b', dev: null }, { ...row, name: 'c' }];
    const expected = [row, { ...row, name: 'b' }, { ...row, name: 'd' }];
    const counts = ({ exact, near, wrong }: ReturnType<typeof scoreRows>) => [exact, near, wrong];
    assert.deepEqual(counts(scoreRows(found, expected)), [1, 1, 1]);
    assert.deepEqual(counts(scoreRows(found, expected, { mayNotKnow: true })), [2, 0, 1]);
  });

  it('takes the move of a direct dependency for its added and removed copies', () => {
    mkdirSync(folder, { recursive: true });
    const edge = { workspace: '', as: 'a', ...row, direct: undefined };
    const other = { ...row, name: 'o', to: null };
    const truth = { lockfile: 'yarn.lock', rows: [{ ...row, from: null }, other], directEdges: [edge] };
    writeFileSync(join(folder, 'truth.json'), JSON.stringify(truth));
    assert.deepEqual(readTruth(folder), { lockfile: 'yarn.lock', rows: [other, row] });
  });
});
