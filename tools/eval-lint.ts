// Measures the check of changelogs against a truth set: `npm run eval:lint -- <folder> [--verbose]`. The folder has the cases
// and the scorer, `score.mjs`, whose figures are printed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lintChangelog } from '../src/domain/lint/lint-changelog.ts';
import { readLintCases } from './eval-lint/cases.ts';

// Of a core, for one package.
const MOST_SECONDS = 3;

function main(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval:lint -- <folder> [--verbose]');
    return 2;
  }
  const seconds: number[] = [];
  const lines = readLintCases(folder).flatMap(({ id, input }) => {
    const before = process.cpuUsage();
    const { findings } = lintChangelog(input());
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1_000_000);
    const judged = findings.filter(({ level, rule }) => level !== 'info' || rule === 'entry-gap');
    if (values.verbose)
      for (const one of judged)
        console.log(`${id}:${one.line} ${one.rule}: ${one.sentence} ${one.evidence.join(' | ')}`);
    return judged.map(({ rule, line }) => JSON.stringify({ case: id, rule, line }));
  });
  const scratch = mkdtempSync(join(tmpdir(), 'registry-lint-'));
  try {
    const file = join(scratch, 'findings.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(folder, 'score.mjs'), file, folder], {
      encoding: 'utf8',
    });
    console.log(`${stdout}${stderr}`.trimEnd());
    const most = Math.max(...seconds);
    const sum = seconds.reduce((total, one) => total + one, 0);
    console.log(
      `processor time: ${sum.toFixed(2)} s for ${seconds.length} cases, at most ${most.toFixed(2)} s (bar ${MOST_SECONDS} s)`,
    );
    return status === 0 && most <= MOST_SECONDS ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = main();
