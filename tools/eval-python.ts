// Measures findings of Python packages against a truth set: `npm run eval:python -- <folder> --trees <folder> [--only <id>]
// [--make <file>] [--verbose]`. `--trees` holds the packages unpacked, as the set's own program leaves them; `--make` writes the
// findings in its words, so that it can prove each of them by running it.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { comparePython } from '../src/domain/evidence/python/compare.ts';
import { readPython } from '../src/domain/evidence/python/layout.ts';
import { emptyPythonScore, judgedFinding, type PythonScore, type Share, scorePython } from './eval-python/score.ts';
import { readTree } from './eval-python/trees.ts';
import { readPythonSteps } from './eval-python/truth.ts';

const MB = 1_000_000;

function main(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      trees: { type: 'string' },
      only: { type: 'string', default: '' },
      make: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [folder] = positionals;
  const { trees } = values;
  if (folder === undefined || trees === undefined) {
    console.error('usage: npm run eval:python -- <folder> --trees <folder> [--only <id>] [--make <file>] [--verbose]');
    return 2;
  }
  const score = emptyPythonScore();
  const judged: Record<string, string>[] = [];
  const seconds: number[] = [];
  for (const step of readPythonSteps(folder).filter(({ id }) => id.startsWith(values.only))) {
    const [old, next] = [step.old, step.new].map(({ archive }) => readTree(trees, archive));
    if (!old || !next) {
      console.log(`${step.id}: its archives are not there`);
      continue;
    }
    const before = process.cpuUsage();
    const [was, is] = [readPython(old), readPython(next)];
    if (!was || !is) {
      console.log(`${step.id}: it tells no name`);
      continue;
    }
    const { findings, counts } = comparePython(was, is);
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / MB);
    const self = comparePython(is, is).findings.length;
    const told = score.notes.length;
    scorePython(score, step, findings);
    console.log(`${step.id}: ${counts.proven} proven, ${counts.likely} likely, ${seconds.at(-1)?.toFixed(2)} s`);
    if (self > 0) console.log(`  ${self} findings against itself`);
    for (const note of score.notes.slice(told)) console.log(`  ${note}`);
    if (values.verbose) for (const { kind, subpath, text } of findings) console.log(`    ${kind} ${subpath} ${text}`);
    judged.push(...findings.map((one) => judgedFinding(step.id, one)).filter((one) => one !== null));
  }
  if (values.make !== undefined) writeFileSync(values.make, JSON.stringify(judged));
  return report(
    score,
    seconds.sort((a, b) => a - b),
  );
}

function report({ recall, outside, names, inside, exact, traps }: PythonScore, seconds: readonly number[]): number {
  for (const [kind, share] of [...recall].sort()) console.log(`recall of ${kind}: ${shown(share)}`);
  for (const [kind, share] of [...traps].sort()) console.log(`raised of ${kind}: ${shown(share)}`);
  const all = sum([outside, names, inside]);
  const raised = sum([...traps.values()]);
  const bars: [string, Share, number][] = [
    ['recall of modules, manifest and names of the root', outside, 0.97],
    ['recall of names in modules', names, 0.95],
    ['recall of members and parameters', inside, 0.8],
    ['recall', all, 0.88],
    ['silence on traps', { right: raised.all - raised.right, all: raised.all }, 0.97],
  ];
  for (const [name, share, bar] of bars) console.log(`${name}: ${shown(share)} (bar ${bar})`);
  console.log(`told by the module of the truth: ${shown(exact)}`);
  console.log(
    `processor time of a pair: median ${seconds[Math.floor(seconds.length / 2)]?.toFixed(2)} s, largest ${seconds.at(-1)?.toFixed(2)} s`,
  );
  return bars.every(([, { right, all }, bar]) => all === 0 || right / all >= bar) ? 0 : 1;
}

function sum(shares: readonly Share[]): Share {
  return {
    right: shares.reduce((total, { right }) => total + right, 0),
    all: shares.reduce((total, one) => total + one.all, 0),
  };
}

function shown({ right, all }: Share): string {
  return all === 0 ? 'nothing to judge' : `${(right / all).toFixed(3)} (${right} of ${all})`;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
