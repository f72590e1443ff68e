// Measures the breaking verdicts on real changelogs: `npm run eval:verdicts -- <folder> [--verbose] [--json]`, where the
// folder holds the labelled changelogs. `tools/eval-verdicts/README.md` tells how the labels were made. `--verbose`
// lists the misread entries of the working part; those of the scored part are never shown.
import { parseArgs } from 'node:util';
import { NO_HABITS } from '../src/domain/notes/habits.ts';
import { deriveNotes, type Habits, readHabits } from '../src/domain/notes/index.ts';
import { type CorpusEntry, namesOf, readCorpus } from './eval-verdicts/corpus.ts';
import { matchLabels, readLabels } from './eval-verdicts/labels.ts';
import { partOf } from './eval-verdicts/sample.ts';
import { bars, type Judged, precision, recall, type Score, score } from './eval-verdicts/score.ts';

// The fields that the service derives for an entry of an imported changelog.
export function judge(entry: CorpusEntry, habits: Habits = NO_HABITS) {
  const names = namesOf(entry.package);
  return deriveNotes({
    title: entry.title,
    content: entry.body,
    version: entry.version,
    versionNumbers: entry.parsed?.numbers ?? [],
    step: entry.step,
    prerelease: entry.prerelease,
    type: 'feature',
    origin: 'changelog',
    names,
    displayName: names[0] ?? entry.package,
    habits,
  });
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

function row(name: string, figures: Score): string {
  const { items, majors, called, calledNone, agreed } = figures;
  const cells = [
    `${items} entries, ${majors} breaks`,
    `called ${called}`,
    `precision ${percent(precision(figures))}`,
    `recall ${percent(recall(figures))}`,
    `called none ${calledNone}`,
    `same verdict ${percent(items === 0 ? 1 : agreed / items)}`,
  ];
  return `  ${name.padEnd(22)} ${cells.map((cell) => cell.padEnd(20)).join(' ')}`.trimEnd();
}

function report(title: string, judged: readonly Judged[]): void {
  console.log(title);
  console.log(row('all', score(judged)));
  console.log(row('outside major steps', score(judged.filter(({ entry }) => entry.step !== 'major'))));
  for (const stratum of ['random', 'words', 'strong'] as const) {
    console.log(row(`drawn by ${stratum}`, score(judged.filter(({ label }) => label.stratum === stratum))));
  }
}

function main(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval:verdicts -- <folder> [--verbose]');
    return 2;
  }
  const corpus = readCorpus(folder);
  const { pairs, missing, changed } = matchLabels(readLabels(), corpus);
  const habits = new Map([...corpus].map(([name, entries]) => [name, readHabits(entries.map(({ body }) => body))]));
  const judged = pairs.map(
    ({ label, entry }): Judged => ({ label, entry, verdict: judge(entry, habits.get(entry.package)).breaking }),
  );
  const part = (name: 'working' | 'scored') => judged.filter(({ label }) => partOf(label.package) === name);
  if (values.verbose) {
    for (const { label, entry, verdict } of part('working')) {
      if ((label.label === 'major') === (verdict === 'major')) continue;
      console.log(`${label.label} read as ${verdict}: ${entry.package} ${entry.version} (step ${entry.step})`);
    }
  }
  console.log(`${pairs.length} labelled entries; ${missing.length} not found, ${changed.length} with another text`);
  if (pairs.length === 0) return 1;
  report('working part', part('working'));
  report('scored part', part('scored'));
  const reached = bars(part('scored'));
  for (const { name, value, bar, passed } of reached) {
    console.log(`${passed ? 'passed' : 'FAILED'}: ${name} ${percent(value)} (bar ${percent(bar)})`);
  }
  return reached.every(({ passed }) => passed) ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
