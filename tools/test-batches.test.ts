import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { dealBatches, runBatch } from './test-batches.ts';

describe('batches of test files', () => {
  it('hold every file once: those of services first, smaller and smaller ones last', () => {
    const services = Array.from({ length: 42 }, (_, index) => `test/any/${index}.test.ts`);
    const rules = Array.from({ length: 30 }, (_, index) => `src/domain/${index}.test.ts`);
    const units = Array.from({ length: 100 }, (_, index) => `src/store/${index}.test.ts`);
    const files = [...rules, ...units, ...services];

    const batches = dealBatches(files);

    assert.deepEqual(batches.flat().sort(), [...files].sort());
    assert.deepEqual(new Set(batches.slice(0, 2).flat()), new Set(services));
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [21, 21, 33, 25, 20, 20, 20, 12],
    );
    assert.deepEqual(new Set(batches.flat().slice(-rules.length)), new Set(rules));
  });
});

it('no test file has a hook at its top, where it would run for its neighbours too, or a suite that waits', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts']);
  const hook = /^(before|after)(Each)?\(/m;
  // Tests that a suite declares after an await would not belong to it in a batch.
  const asyncSuite = /^\s*(describe|suite)\(.*\basync\b/m;
  const texts = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  assert.deepEqual(
    texts.filter(({ text }) => hook.test(text) || asyncSuite.test(text)).map(({ file }) => file),
    [],
  );
  assert.ok(files.length > 300);
});

describe('a batch', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'registry-batches-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const fine = "it('holds', () => {});";
  const cases: [name: string, text: string, outcome: object, failure: RegExp | null][] = [
    [
      'passes',
      `${fine} it.skip('waits \u2028 for \u{1f980}', () => {});`,
      { ok: true, counts: { passed: 2, failed: 0, skipped: 1 } },
      null,
    ],
    [
      'fails with a test',
      `it('breaks', () => { throw new Error('x'); });`,
      { ok: false, counts: { passed: 1, failed: 1, skipped: 0 } },
      null,
    ],
    [
      'fails with a hook that comes after',
      `describe('s', () => { ${fine} after(() => { throw new Error('x'); }); });`,
      { ok: false, counts: { passed: 2, failed: 0, skipped: 0 } },
      /ended with 1/,
    ],
    [
      'fails with an error that no test awaits',
      "it('lets one go', async () => { setImmediate(() => { throw new Error('x'); }); await new Promise((go) => setTimeout(go, 50)); });",
      { ok: false, counts: { passed: 2, failed: 0, skipped: 0 } },
      /ended with 1/,
    ],
    [
      'fails with a promise that no test awaits',
      "it('lets one go', async () => { Promise.reject(new Error('x')); await new Promise((go) => setTimeout(go, 50)); });",
      { ok: false, counts: { passed: 2, failed: 0, skipped: 0 } },
      /ended with 1/,
    ],
    [
      'runs the hooks of a suite around its tests alone, whatever was awaited before',
      `let open = 0; describe('s', () => { before(async () => { await null; open += 1; }); after(() => { open -= 1; });
        it('is inside', async () => { await null; if (open !== 1) throw new Error('x'); });
        describe('t', () => { beforeEach(() => { open += 1; }); afterEach(() => { open -= 1; });
          for (const n of [1, 2]) it('deeper', async () => { if (open !== 2) throw new Error('x'); }); }); });
       it('is outside', () => { if (open !== 0) throw new Error('x'); });`,
      { ok: true, counts: { passed: 5, failed: 0, skipped: 0 } },
      null,
    ],
    [
      'fails when a file cannot be loaded',
      "import './nowhere.ts';",
      { ok: false, counts: { passed: 1, failed: 1, skipped: 0 } },
      null,
    ],
    [
      'fails when a test ends the process',
      "it('leaves', () => process.exit(0));",
      { ok: false },
      /ended with 0 before/,
    ],
    ['fails when it dies', "it('dies', () => process.kill(process.pid, 'SIGKILL'));", { ok: false }, /SIGKILL/],
    [
      'fails when something keeps it open',
      `${fine} setInterval(() => {}, 1000);`,
      { ok: false },
      /nothing happened .* after .*holds: something keeps/,
    ],
    [
      'names a test that hangs',
      "it('waits for nobody', () => new Promise((_, reject) => setTimeout(reject, 3_600_000)));",
      { ok: false },
      /nothing happened .*waits for nobody/,
    ],
    [
      'fails when a test never stops working',
      "it('turns in circles', () => { for (;;); });",
      { ok: false },
      /processor time after/,
    ],
  ];
  for (const [index, [name, text, expected, failure]] of cases.entries()) {
    it(name, async () => {
      const file = join(folder, `${index}.test.ts`);
      const other = join(folder, `${index}-other.test.ts`);
      await writeFile(
        file,
        `import { after, afterEach, before, beforeEach, describe, it } from 'node:test';\n${text}\n`,
      );
      await writeFile(other, `import { it } from 'node:test';\n${fine}\n`);

      const outcome = await runBatch([file, other], process.env, {
        output: 'ignore',
        limits: /open|hangs/.test(name)
          ? { idleMs: 4000, lookMs: 500 }
          : /never/.test(name)
            ? { mostWorkMs: 500, lookMs: 200 }
            : {},
      });

      assert.deepEqual(outcome, { ...outcome, ...expected });
      if (failure) assert.match(outcome.failure ?? '', failure);
      else assert.equal(outcome.failure, null);
    });
  }
});
