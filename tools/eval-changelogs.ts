// Measures what users lose of real changelogs: `npm run eval:changelogs -- <folder> [--verbose]`, where the folder holds
// pairs `X.md` and `X.versions.json` (the published versions). Every file is imported into a scratch registry, and what
// the registry holds is compared with a reading of the file that shares no code with the parser.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importCorpus, packageOf } from './eval-changelogs/import-corpus.ts';
import { NO_SCORE, type Score, scoreChangelog } from './eval-changelogs/score.ts';

const RECALL_BAR = 0.997;
const WRONG_BAR = 0.002;
const TEXT_BAR = 0.99;

function ratio(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
}

function row(name: string, score: Omit<Score, 'notes'>): string {
  const cells = [
    `found ${score.found}/${score.expected} ${ratio(score.found, score.expected)}`,
    `dates ${score.datesRight}/${score.dated} ${ratio(score.datesRight, score.dated)}`,
    `wrong ${score.wrong}/${score.releases} ${ratio(score.wrong, score.releases)}`,
    `text ${ratio(score.kept, score.chars)}`,
    `cut ${score.cut}/${score.bodies}`,
    `repeated ${score.repeated} several ${score.several} plain ${score.plain}`,
  ];
  return `${name.padEnd(26)} ${cells.map((cell) => cell.padEnd(26)).join(' ')}`.trimEnd();
}

function sum(scores: readonly Score[]): Omit<Score, 'notes'> {
  const total = { ...NO_SCORE };
  for (const score of scores) for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += score[key];
  return total;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval:changelogs -- <folder> [--verbose]');
    return 2;
  }
  const names = readdirSync(folder).filter((file) => file.endsWith('.versions.json'));
  const packages = names.map((file) => packageOf(file.slice(0, -'.versions.json'.length)));
  const stored = await importCorpus(folder, packages);
  const scores = packages.map(({ file, name }) => {
    const versions = JSON.parse(readFileSync(join(folder, `${file}.versions.json`), 'utf8')) as string[];
    const text = readFileSync(join(folder, `${file}.md`), 'utf8');
    const score = scoreChangelog(text, versions, stored.get(file) ?? [], [name, file, name.split('/').at(-1) ?? name]);
    console.log(row(file, score));
    if (values.verbose) for (const note of score.notes) console.log(`    ${note}`);
    return score;
  });
  const total = sum(scores);
  console.log(row('total', total));
  const passed =
    total.found >= RECALL_BAR * total.expected &&
    total.wrong <= WRONG_BAR * total.releases &&
    total.kept >= TEXT_BAR * total.chars;
  const bars = `recall at least ${RECALL_BAR}, wrong releases at most ${WRONG_BAR}, text kept at least ${TEXT_BAR}`;
  console.log(`${passed ? 'passed' : 'FAILED'}: ${bars}`);
  return passed && total.expected > 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
