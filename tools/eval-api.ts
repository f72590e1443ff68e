// Measures findings against a truth set of published steps: `npm run eval:api -- <folder> [--packages <folder>] [--only <id>]
// [--make <folder>] [--answers <file>] [--verbose]`. Archives come from the npm registry and are kept in the folder of packages.
// `--make` writes the compared pairs as a set for others, `--answers` measures those of another tool beside ours. `--against-notes` asks the registry that the environment
// names instead: which stored comparisons prove a break where the notes are judged to have none.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareOnThread } from '../src/threads/evidence.ts';
import { pairKey, readAnswers, SET_VERSION, writeSet } from './eval-api/make.ts';
import {
  byNotes,
  byText,
  byVersion,
  emptyMethodScore,
  type MethodAnswer,
  type MethodScore,
  methodTable,
  scoreMethod,
} from './eval-api/methods.ts';
import { KeptPackages } from './eval-api/packages.ts';
import { emptyScore, type Score, type Share, scoreStep } from './eval-api/score.ts';
import { readSteps, type Step } from './eval-api/truth.ts';

const MB = 1_000_000;
// What package.json alone shows has no code for a witness.
const OF_MANIFEST = /^(?:bin_|engines_|peer_|esm_only|subpath_)/;

interface Run {
  score: Score;
  lines: string[];
  seconds: number[];
  tooLarge: string[];
  archives: Map<string, Uint8Array>;
  // What this and simpler methods reach, by name.
  methods: Map<string, MethodScore>;
  // Findings that code can show, and those for which the compiler bore witness.
  witnessed: { proven: Share; likely: Share };
}

interface CompareOptions {
  isVerbose?: boolean | undefined;
  others: ReturnType<typeof readAnswers> | null;
}

// The environment names the registry of packages.
export async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      packages: { type: 'string', default: join(tmpdir(), 'registry-api-packages') },
      only: { type: 'string' },
      make: { type: 'string' },
      answers: { type: 'string' },
      verbose: { type: 'boolean' },
      'against-notes': { type: 'boolean' },
    },
  });
  if (values['against-notes']) return againstNotes(env);
  const [folder] = positionals;
  if (folder === undefined) {
    console.error(
      'usage: npm run eval:api -- <folder> [--packages <folder>] [--only <id>] [--make <folder>] [--answers <file>] [--verbose]\n       npm run eval:api -- --against-notes',
    );
    return 2;
  }
  const steps = readSteps(folder).filter(({ id }) => id.startsWith(values.only ?? ''));
  const others = values.answers === undefined ? null : readAnswers(values.answers);
  const run = await compareAll(steps, new KeptPackages(values.packages, env), { isVerbose: values.verbose, others });
  const peak = process.resourceUsage().maxRSS / 1024;
  const table = methodTable(run.methods);
  if (values.make !== undefined) writeSet(values.make, { lines: run.lines, table });
  console.log(`\n${table}`);
  return report(run, { peak, different: await differentFromThemselves(run.archives) });
}

async function againstNotes(env: NodeJS.ProcessEnv): Promise<number> {
  const { createApp } = await import('../src/app.ts');
  const { readConfig } = await import('../src/config.ts');
  const { silentNotes, silentNotesReport } = await import('./eval-api/against-notes.ts');
  const app = await createApp(readConfig(env));
  try {
    console.log(silentNotesReport(await silentNotes(app.ctx)));
  } finally {
    await app.close();
  }
  return 0;
}

async function compareAll(
  steps: readonly Step[],
  packages: KeptPackages,
  { isVerbose, others }: CompareOptions,
): Promise<Run> {
  const run: Run = {
    score: emptyScore(),
    lines: [],
    seconds: [],
    tooLarge: [],
    archives: new Map(),
    methods: new Map(),
    witnessed: { proven: { right: 0, all: 0 }, likely: { right: 0, all: 0 } },
  };
  const scored = (method: string, step: Step, answer: MethodAnswer) => {
    const score = run.methods.get(method) ?? emptyMethodScore();
    run.methods.set(method, score);
    scoreMethod(score, step, answer);
  };
  for (const step of steps) {
    const { old, next } = await packages.pair(step.package, step.from, step.to);
    run.archives.set(`${step.package}@${step.from}`, old.archive).set(`${step.package}@${step.to}`, next.archive);
    const before = process.cpuUsage();
    const result = await compareOnThread({ old, next });
    const { user, system } = process.cpuUsage(before);
    if (result.kind !== 'compared') {
      run.tooLarge.push(`${step.id}: ${result.reason}`);
      continue;
    }
    const { findings, counts, more, rules, types } = result.evidence;
    scored('version number', step, byVersion(step));
    scored('notes', step, byNotes(step));
    scored('names in the text', step, await byText(old.archive, next.archive));
    if (others) scored('answers given', step, others.get(pairKey(step)) ?? { breaks: null, names: [] });
    scored('this registry', step, { breaks: findings.length > 0, names: findings });
    run.seconds.push((user + system) / MB);
    const told = run.score.notes.length;
    scoreStep(run.score, step, findings);
    console.log(`${step.id}: ${counts.proven} proven, ${counts.likely} likely, ${((user + system) / MB).toFixed(2)} s`);
    for (const note of run.score.notes.slice(told)) console.log(`  ${note}`);
    if (isVerbose) for (const { kind, subpath, text } of findings) console.log(`  ${kind} ${subpath} ${text}`);
    for (const { kind, certainty, subpath, text, witness } of findings.filter(({ kind }) => !OF_MANIFEST.test(kind))) {
      run.witnessed[certainty].all += 1;
      if (witness) run.witnessed[certainty].right += 1;
      else if (isVerbose) console.log(`  without a witness: ${kind} ${subpath} ${text}`);
    }
    const { package: name, from, to, step: size, notes = null } = step;
    const pair = { set: SET_VERSION, package: name, from, to, step: size, types };
    run.lines.push(JSON.stringify({ ...pair, findings, more, notes, rules }));
  }
  return run;
}

// Loaded last: the compiler of this thread is none of the memory that a comparison takes.
async function differentFromThemselves(archives: Map<string, Uint8Array>): Promise<string[]> {
  const { selfFindings } = await import('./eval-api/self.ts');
  const different: string[] = [];
  for (const [name, archive] of archives) {
    for (const { kind, text } of await selfFindings(archive)) different.push(`${name}: ${kind} ${text}`);
  }
  return different;
}

function report(
  { score, seconds, tooLarge, witnessed }: Run,
  { peak, different }: { peak: number; different: string[] },
): number {
  const sum = (...shares: Share[]) => ({
    right: shares.reduce((total, { right }) => total + right, 0),
    all: shares.reduce((total, { all }) => total + all, 0),
  });
  // The first pair loads the compiler and the library of the language.
  const warm = seconds.slice(1).sort((a, b) => a - b);
  console.log('');
  for (const [kind, share] of [...score.recall].sort()) console.log(`recall of ${kind}: ${shown(share)}`);
  const bars: [string, Share, number][] = [
    ['recall', sum(score.names, score.signatures), 0.9],
    ['recall of names and manifest', score.names, 0.95],
    ['recall of signatures', score.signatures, 0.7],
    ['silence on traps', score.silence, 0.98],
    ['precision of proven on full steps', score.proven, 0.98],
    ['precision of likely on full steps', score.likely, 0.8],
  ];
  for (const [name, share, bar] of bars) console.log(`${name}: ${shown(share)} (bar ${bar})`);
  console.log(`proven findings with a witness: ${shown(witnessed.proven)}`);
  console.log(`likely findings with a witness: ${shown(witnessed.likely)}`);
  console.log(`unexplained findings on patch steps: ${score.patchAlarms}`);
  console.log(`different from themselves: ${different.length}`);
  for (const line of different) console.log(`  ${line}`);
  for (const line of tooLarge) console.log(`too large: ${line}`);
  console.log(
    `processor time of a warm pair: median ${at(warm, 0.5)} s, largest ${at(warm, 1)} s; peak ${Math.round(peak)} MB`,
  );
  const isPassed = bars.every(([, { right, all }, bar]) => all === 0 || right / all >= bar);
  return isPassed && different.length === 0 ? 0 : 1;
}

function shown({ right, all }: Share): string {
  return all === 0 ? 'nothing to judge' : `${(right / all).toFixed(3)} (${right} of ${all})`;
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2);
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
