// Measures whether real projects before and after an upgrade give the right rows: `npm run eval:lockfiles -- <folder>
// [--verbose]`, where each folder inside has `old`, `new` and `truth.json`. Two files and a diff of them are read.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lockfileChanges } from '../src/cli/client/upgrade/changes.ts';
import { readUpgrades } from '../src/domain/upgrade/lockfiles/upgrades.ts';
import { type LockfileRow, readTruth } from './eval-lockfiles/truth.ts';

interface Score {
  expected: number;
  exact: number;
  // The versions are right, and direct, dev or the source is not.
  near: number;
  wrong: number;
  notes: string[];
}

const moveOf = ({ name, from, to }: LockfileRow) => `${name} ${from ?? '∅'} → ${to ?? '∅'}`;
const factsOf = ({ direct, dev, source }: LockfileRow) => `direct ${direct}, dev ${dev}, ${source}`;

// What a file does not tell is not wrong, as long as it is asked for its moves alone.
function agrees(found: LockfileRow, expected: LockfileRow, mayNotKnow: boolean): boolean {
  const same = (a: boolean | null, b: boolean | null) => a === b || (mayNotKnow && a === null);
  return same(found.direct, expected.direct) && same(found.dev, expected.dev) && found.source === expected.source;
}

export function scoreRows(
  found: readonly LockfileRow[],
  expected: readonly LockfileRow[],
  { mayNotKnow = false } = {},
): Score {
  const byMove = new Map(found.map((row) => [moveOf(row), row]));
  const known = new Set(expected.map(moveOf));
  const score: Score = { expected: expected.length, exact: 0, near: 0, wrong: 0, notes: [] };
  for (const row of expected) {
    const same = byMove.get(moveOf(row));
    if (!same) score.notes.push(`missing ${moveOf(row)} (${factsOf(row)})`);
    else if (agrees(same, row, mayNotKnow)) score.exact += 1;
    else {
      score.near += 1;
      score.notes.push(`${moveOf(row)}: ${factsOf(same)} instead of ${factsOf(row)}`);
    }
  }
  for (const row of found) if (!known.has(moveOf(row))) score.notes.push(`invented ${moveOf(row)}`);
  score.wrong = found.filter((row) => !known.has(moveOf(row))).length;
  return score;
}

// The rows of a diff of both files, with as much text around a change as people paste.
function diffRows(before: string, after: string): LockfileRow[] {
  const read = readUpgrades([{ text: diffOf(before, after) }]);
  if ('problem' in read) return [];
  return [...read.upgrades, ...read.others];
}

function diffOf(before: string, after: string): string {
  try {
    return execFileSync('git', ['diff', '--no-index', '--', before, after], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    // git ends with 1 when the files differ.
    return (error as { stdout?: string }).stdout ?? '';
  }
}

function main(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval:lockfiles -- <folder> [--verbose]');
    return 2;
  }
  const projects = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'truth.json')));
  let isPassed = projects.length > 0;
  for (const name of projects) {
    const { lockfile, rows } = readTruth(join(folder, name));
    const [before, after] = ['old', 'new'].map((state) => join(folder, name, state, lockfile)) as [string, string];
    const files = scoreRows(lockfileChanges(before, after).changes, rows);
    const diff = scoreRows(diffRows(before, after), rows, { mayNotKnow: true });
    const cell = ({ expected, exact, near, wrong }: Score) =>
      `${exact}/${expected} exact, ${near} near, ${wrong} invented`;
    console.log(`${name.padEnd(16)} files: ${cell(files).padEnd(40)} diff: ${cell(diff)}`);
    if (values.verbose) for (const note of files.notes) console.log(`    ${note}`);
    if (values.verbose) for (const note of diff.notes) console.log(`    diff: ${note}`);
    isPassed &&= files.exact === files.expected && files.wrong === 0;
  }
  console.log(isPassed ? 'passed: every row of two files is exact' : 'FAILED: not every row of two files is exact');
  return isPassed ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
