// A third ecosystem is one folder and one entry. The table is replaced in a process of its own, where the whole service
// runs with it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe('a third ecosystem', () => {
  it('needs one folder and one entry of the table', async () => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const args = ['--import', at('./third-hook.ts'), at('./third-program.ts')];
    const [code, output] = await new Promise<[number | string, string]>((resolve) => {
      execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
        resolve([error?.code ?? 0, stdout + stderr]);
      });
    });

    assert.equal(code, 0, output);
  });
});
