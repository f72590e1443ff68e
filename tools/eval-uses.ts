// Measures uses against projects with the truth: `npm run eval:uses -- <folder> [--packages <folder>] [--verbose]`; with
// `--clients <folder> [--only <id>]` it compiles the clients of a truth set of steps with both versions instead. Packages come
// from the npm registry and are kept in the folder of packages.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { namesOnThread } from '../src/check/prove/checker.ts';
import { projectSources } from '../src/check/sources.ts';
import { KeptFiles } from '../src/check/uses/kept-files.ts';
import { readProjectUses } from '../src/check/uses/read-project.ts';
import type { Finding } from '../src/domain/evidence/finding.ts';
import { type Use, worstUse } from '../src/domain/uses/use.ts';
import { useOf } from '../src/domain/uses/use-of.ts';
import { compareOnThread } from '../src/threads/evidence.ts';
import { KeptPackages } from './eval-api/packages.ts';
import { proveClients } from './eval-uses/clients.ts';
import { readCases, type TrueName, type UsesCase } from './eval-uses/truth.ts';

// Words that say the name is used, and words that say it is not.
const USED = new Set(['used', 'not_met']);
const NOT_USED = new Set(['not_used', 'not_imported', 'met']);

interface Tally {
  used: number;
  found: number;
  claimed: number;
  falseComfort: number;
  lines: { right: number; found: number; wanted: number };
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      packages: { type: 'string', default: join(tmpdir(), 'registry-api-packages') },
      verbose: { type: 'boolean' },
      clients: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  });
  const [folder] = positionals;
  if (folder === undefined && values.clients === undefined) {
    console.error('usage: npm run eval:uses -- <folder> [--packages <folder>] [--verbose]');
    return 2;
  }
  const packages = new KeptPackages(values.packages);
  if (values.clients !== undefined) return reportClients(await proveClients(values.clients, packages, values.only));
  const total = emptyTally();
  for (const one of readCases(folder ?? '.')) {
    const tally = emptyTally();
    const notes = await judge(one, packages, tally, values.verbose === true);
    add(total, tally);
    console.log(`${one.id}: ${shown(tally)}`);
    for (const note of notes) console.log(`  ${note}`);
  }
  if (total.used === 0) {
    console.error(`${folder} holds no project that uses what has changed`);
    return 1;
  }
  console.log(`\nall: ${shown(total)}`);
  console.log(
    `precision ${share(total.found, total.claimed)} (bar 0.98), recall ${share(total.found, total.used)} (bar 0.95)`,
  );
  console.log(`not_used or not_imported where it is used: ${total.falseComfort} (bar 0)`);
  const isPassed = ratio(total.found, total.claimed) >= 0.98 && ratio(total.found, total.used) >= 0.95;
  return isPassed && total.falseComfort === 0 ? 0 : 1;
}

function reportClients({ failing, found, quiet, silent, notes }: Awaited<ReturnType<typeof proveClients>>): number {
  for (const note of notes) console.log(note);
  console.log(`clients that fail with the new version and are found: ${share(found, failing)} (bar 1)`);
  console.log(`clients that compile with both and are silent: ${share(silent, quiet)}`);
  return failing > 0 && found === failing ? 0 : 1;
}

async function judge(one: UsesCase, packages: KeptPackages, tally: Tally, isVerbose: boolean): Promise<string[]> {
  const { files, leftOut } = await projectSources(one.folder, { env: process.env });
  const sources = files.filter(({ path }) => path !== 'truth.json');
  const kept = new KeptFiles({ read: () => null, write: () => {} }, one.folder);
  const options = { asked: [one.package], words: [], leftOut: leftOut.length, kept };
  const { uses, withWords } = await readProjectUses(sources, options);
  const pair = await packages.pair(one.package, one.from, one.to).catch(() => null);
  const findings = pair ? await findingsOf(pair) : [];
  const asked = one.names.map((truth) => findingFor(truth, one, findings));
  const checked = await namesOnThread({
    root: one.folder,
    files,
    wanted: [{ package: one.package, names: uses.installedNames(one.package), findings: asked }],
    beside: pair ? [pair.old] : [],
  });
  const known = 'names' in checked ? { checked: new Map(checked.names) } : {};
  const answers = await withWords(() => asked.map((finding) => useOf(uses, one.package, finding, known)));
  const notes: string[] = [];
  const said: Use[] = [];
  for (const [index, truth] of one.names.entries()) {
    const use = answers[index];
    if (!use) continue;
    said.push(use);
    const note = score(truth, use, tally);
    if (note || isVerbose)
      notes.push(
        `${note ?? 'right'}: ${truth.name} is ${truth.verdict} (${truth.at.join(' ')}), said ${use.use} (${placesOf(use).join(' ')})`,
      );
  }
  if (isVerbose) notes.push(`the package is ${worstUse(said)?.use ?? 'not asked for'}`);
  return notes;
}

async function findingsOf(pair: Awaited<ReturnType<KeptPackages['pair']>>): Promise<readonly Finding[]> {
  const compared = await compareOnThread(pair);
  return compared.kind === 'compared' ? compared.evidence.findings : [];
}

// The finding of the step that the truth speaks of; where the comparison has none, one that is made of the name.
function findingFor({ name }: TrueName, { package: packageName }: UsesCase, findings: readonly Finding[]): Finding {
  const kind = /\((\w+)\)$/.exec(name)?.[1];
  const plain = name.replace(/\s*\(\w+\)$/, '');
  const found = findings.find((one) =>
    kind ? one.kind === kind : one.name === plain || one.name === plain.split('#')[0],
  );
  if (found) return { ...found, name: kind ? found.name : plain };
  const made = { subpath: '.', certainty: 'proven', was: null, is: null, text: name } as const;
  if (kind) return { ...made, kind: kind as Finding['kind'], name: plain || packageName };
  if (plain.startsWith('./')) return { ...made, kind: 'subpath_removed', name: plain, subpath: plain };
  return { ...made, kind: plain.includes('.') ? 'member_removed' : 'export_removed', name: plain };
}

// What is wrong with an answer; null when nothing is.
function score(truth: TrueName, use: Use, tally: Tally): string | null {
  const places = placesOf(use);
  const isUsed = truth.verdict === 'used';
  const isClaimed = USED.has(use.use);
  if (isUsed) tally.used += 1;
  if (isClaimed) tally.claimed += 1;
  if (isUsed && isClaimed) tally.found += 1;
  if (isUsed && NOT_USED.has(use.use)) {
    tally.falseComfort += 1;
    return 'FALSE COMFORT';
  }
  if (isUsed !== isClaimed) return isUsed ? 'missed' : 'false alarm';
  if (!isUsed) return isSameWord(truth, use) ? null : 'other word';
  const [missing, strange] = [
    truth.at.filter((place) => !places.includes(place)),
    places.filter((place) => !allowed(truth, place)),
  ];
  tally.lines.wanted += truth.at.length;
  tally.lines.found += places.length;
  tally.lines.right += truth.at.length - missing.length;
  return missing.length + strange.length > 0
    ? `lines (missing ${missing.join(' ')}; strange ${strange.join(' ')})`
    : null;
}

// Of a package that is imported the truth calls a name `not_imported` that is no member; that is `not_used` here.
function isSameWord({ verdict, acceptable = [] }: TrueName, { use }: Use): boolean {
  const words = [verdict, ...acceptable].map((word) => (word === 'cannot_tell' ? 'unclear' : word));
  return words.includes(use) || (use === 'not_used' && words.includes('not_imported'));
}

function allowed({ at, also = [] }: TrueName, place: string): boolean {
  return at.includes(place) || also.includes(place);
}

function placesOf({ places }: Use): string[] {
  return places.map(({ file, line }) => `${file}:${line}`);
}

function emptyTally(): Tally {
  return { used: 0, found: 0, claimed: 0, falseComfort: 0, lines: { right: 0, found: 0, wanted: 0 } };
}

function add(total: Tally, tally: Tally): void {
  for (const key of ['used', 'found', 'claimed', 'falseComfort'] as const) total[key] += tally[key];
  for (const key of ['right', 'found', 'wanted'] as const) total.lines[key] += tally.lines[key];
}

function shown({ used, found, claimed, lines }: Tally): string {
  return `precision ${share(found, claimed)}, recall ${share(found, used)}, lines ${lines.right} of ${lines.wanted}, named ${lines.found}`;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function share(part: number, whole: number): string {
  return `${ratio(part, whole).toFixed(3)} (${part} of ${whole})`;
}

process.exitCode = await main();
