import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Finding } from '../src/domain/evidence/finding.ts';
import { startRegistry } from '../test/ingest/npm-registry.ts';
import { emptyScore, scoreStep } from './eval-api/score.ts';
import type { Step } from './eval-api/truth.ts';
import { main } from './eval-api.ts';

const STEP: Step = {
  id: 'lamp-2.0.0',
  package: 'lamp',
  from: '1.0.0',
  to: '2.0.0',
  step: 'major',
  coverage: 'full',
  breaks: [],
  traps: [],
};

const found = (kind: Finding['kind'], name: string, subpath = '.'): Finding => ({
  kind,
  name,
  subpath,
  certainty: kind === 'type_changed' ? 'likely' : 'proven',
  was: null,
  is: null,
  text: name,
});

test('a listed break is found by its name and subpath, and by the part before #', () => {
  const score = emptyScore();
  const breaks = [
    { class: 'export_removed', name: 'a', subpath: '.' },
    { class: 'export_removed', name: 'a', subpath: './b' },
    { class: 'type_changed', name: 'c#option', subpath: '.' },
    { class: 'export_removed', name: 'arguable', subpath: '.', doubt: 'marked as internal in the docs' },
  ];
  scoreStep(score, { ...STEP, breaks }, [found('export_removed', 'a'), found('type_changed', 'c')]);
  assert.deepEqual(
    [score.names, score.signatures],
    [
      { right: 1, all: 2 },
      { right: 1, all: 1 },
    ],
  );
  assert.deepEqual(score.notes, ['missed export_removed ./b a']);
});

test('a finding on a trap, or beside the truth of a fully read step, is a false alarm', () => {
  const score = emptyScore();
  const traps = [
    { kind: 'moved', name: 'a' },
    { kind: 'deprecated', name: 'b' },
  ];
  scoreStep(score, { ...STEP, step: 'patch', traps }, [found('export_removed', 'a')]);
  assert.deepEqual([score.silence, score.proven, score.patchAlarms], [{ right: 1, all: 2 }, { right: 0, all: 1 }, 1]);
  scoreStep(score, { ...STEP, coverage: 'sample' }, [found('export_removed', 'z')]);
  assert.deepEqual(score.proven, { right: 0, all: 1 }, 'a sample says nothing about what else is found');
});

test('the steps of a truth set are compared, measured and written down', async (t) => {
  const registry = await startRegistry(t);
  const folder = mkdtempSync(join(tmpdir(), 'registry-eval-api-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const publish = (version: string, names: string[]) =>
    registry.publish('lamp', version, {
      'package.json': '{"types":"./index.d.ts"}',
      'index.d.ts': `${names.map((name) => `export declare const ${name}: 1;`).join('\n')} export {};`,
    });
  publish('1.0.0', ['a', 'b']);
  publish('2.0.0', ['b']);
  const breaks = [{ class: 'export_removed', name: 'a', subpath: '.' }];
  writeFileSync(join(folder, 'steps.json'), JSON.stringify([{ ...STEP, breaks }]));
  const made = join(folder, 'set');
  const answers = join(folder, 'answers.ndjson');
  writeFileSync(
    answers,
    `${JSON.stringify({ package: 'lamp', from: '1.0.0', to: '2.0.0', findings: [{ name: 'z' }] })}\n`,
  );
  const args = [folder, '--packages', join(folder, 'packages'), '--make', made, '--answers', answers];
  const printed = t.mock.method(console, 'log', () => {}).mock;
  const run = async () => {
    printed.resetCalls();
    const code = await main(args, { ...process.env, ...registry.env });
    const lines = printed.calls.map((call) => call.arguments.join(' '));
    assert.equal(code, 0, lines.join('\n'));
    return lines;
  };
  const report = (await run()).join('\n');
  assert.match(report, /recall of names and manifest: 1\.000 \(1 of 1\)/);
  assert.match(report, /precision of proven on full steps: 1\.000 \(1 of 1\)/);
  assert.match(report, /different from themselves: 0/);
  const line = JSON.parse(readFileSync(join(made, 'pairs.ndjson'), 'utf8'));
  assert.deepEqual(
    [line.package, line.from, line.to, line.step, line.findings.length, line.notes],
    ['lamp', '1.0.0', '2.0.0', 'major', 1, null],
  );
  assert.equal(line.findings[0].witness.code, "import { a } from 'lamp';\n");
  const readme = readFileSync(join(made, 'README.md'), 'utf8');
  assert.match(readme, /\| version number \| 1 of 1 \| – \| 0 of 1 \| – \|/);
  assert.match(readme, /\| names in the text \| 1 of 1 \| – \| 1 of 1 \| – \|/);
  assert.match(readme, /\| answers given \| 1 of 1 \| – \| 0 of 1 \| – \|/);
  assert.match(report, /proven findings with a witness: 1\.000 \(1 of 1\)/);
  const asked = registry.seen.length;
  assert.match((await run()).at(-1) ?? '', /^processor time/);
  assert.equal(registry.seen.length, asked, 'packages are downloaded once');
});
