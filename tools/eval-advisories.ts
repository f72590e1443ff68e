// Measures whether the advisories of invented projects give the right versions: `npm run eval:advisories -- <folder> [--verbose]`,
// where each folder inside has `osv/*.json`, a lockfile, `releases.json` (the whole world: times, versions and `now`), settings
// of tools as people write them, and `expect.json`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readProjectCooldowns } from '../src/check/advisories/project-cooldowns.ts';
import { readProject } from '../src/check/project/read-project.ts';
import { findClearingVersion } from '../src/domain/advisories/clearing-version.ts';
import { type Advisory, readOsvRecord } from '../src/domain/advisories/osv-record.ts';
import type { Ecosystem } from '../src/domain/ecosystems/index.ts';

export interface ExpectedVersion {
  package: string;
  version: string;
  ecosystem?: Ecosystem;
  affected_by: readonly string[];
  smallest?: string | null;
  smallest_in_line?: string | null;
  smallest_out_of_cooldown?: string | null;
  ready_at?: string | null;
  not?: readonly string[];
}

export interface AdvisoryCase {
  cooldown_minutes?: number | null;
  settings_from?: string;
  installed: readonly ExpectedVersion[];
}

type Answer = Record<string, unknown>;

const FIELDS = ['affected_by', 'smallest', 'smallest_in_line', 'smallest_out_of_cooldown', 'ready_at'] as const;

interface Score {
  right: number;
  wrong: string[];
}

// Fields that the expectation does not name are not counted. A version that must not be offered is always wrong.
export function scoreAnswer(expected: ExpectedVersion, found: Answer): Score {
  const score: Score = { right: 0, wrong: [] };
  const name = `${expected.package}@${expected.version}`;
  for (const field of FIELDS.filter((one) => one in expected)) {
    const [wanted, got] = [comparable(expected[field]), comparable(found[field])];
    if (wanted === got) score.right += 1;
    else score.wrong.push(`${name} ${field}: wanted ${wanted}, got ${got}`);
  }
  const offered = [found.smallest, found.smallest_in_line, found.smallest_out_of_cooldown];
  for (const version of expected.not ?? [])
    if (offered.includes(version)) score.wrong.push(`${name} offers ${version}`);
  return score;
}

function comparable(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.toSorted());
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return JSON.stringify(isTime ? new Date(value).toISOString() : value);
}

type Times = Record<string, Record<string, string>>;

function answersOf(folder: string, { installed }: AdvisoryCase): { answers: Answer[]; cooldown: number | null } {
  const osv = join(folder, 'osv');
  const advisories = readdirSync(osv).flatMap((file): Advisory[] => {
    const read = readOsvRecord(readJson(join(osv, file)));
    return read === null || read === 'elsewhere' ? [] : [read];
  });
  const { now, releases } = readJson(join(folder, 'releases.json')) as { now: string; releases: Times };
  const { locked } = readProject(folder);
  // Nothing of the person who measures.
  const { installer } = readProjectCooldowns(folder, locked.format, { HOME: folder });
  const answers = installed.map(({ package: name, version, ecosystem }) => {
    const known = locked.packages.find((one) => one.name === name) ?? named(advisories, name);
    const of = { ecosystem: ecosystem ?? known?.ecosystem ?? 'npm', name } as const;
    const rule = installer(of);
    const found = findClearingVersion({
      ...of,
      installed: version,
      advisories,
      published: Object.entries(releases[name] ?? {}).map(([one, publishedAt]) => {
        return { version: one, publishedAt, isWithdrawn: false };
      }),
      cooldown: (one) => (rule === null || rule.isExcepted(name, one) ? 0 : rule.minutes),
      now: new Date(now),
    });
    return {
      affected_by: found.affectedBy.map(({ id }) => id),
      smallest: found.smallest,
      smallest_in_line: found.smallestInLine,
      smallest_out_of_cooldown: found.smallestOutOfCooldown,
      ready_at: found.readyAt,
    };
  });
  const rule = installer({ ecosystem: 'npm', name: '' });
  return { answers, cooldown: rule === null ? 0 : rule.minutes };
}

function named(advisories: readonly Advisory[], name: string) {
  return advisories.flatMap(({ affected }) => affected).find((one) => one.name === name);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function main(): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { verbose: { type: 'boolean' } } });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run eval:advisories -- <folder> [--verbose]');
    return 2;
  }
  const cases = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'expect.json')));
  const sum = { right: 0, wrong: 0 };
  for (const name of cases.sort()) {
    const expected = readJson(join(folder, name, 'expect.json')) as AdvisoryCase;
    const { answers, cooldown } = answersOf(join(folder, name), expected);
    const scores = expected.installed.map((one, index) => scoreAnswer(one, answers[index] ?? {}));
    const right = scores.reduce((all, score) => all + score.right, 0);
    const wrong = scores.flatMap((score) => score.wrong);
    if ('cooldown_minutes' in expected && expected.cooldown_minutes !== cooldown) {
      wrong.push(`the cooldown: wanted ${expected.cooldown_minutes} minutes, got ${cooldown}`);
    }
    sum.right += right;
    sum.wrong += wrong.length;
    console.log(`${name.padEnd(28)} ${right} right, ${wrong.length} wrong`);
    for (const line of wrong) console.log(`    ${line}`);
    if (values.verbose) for (const answer of answers) console.log(`    ${JSON.stringify(answer)}`);
  }
  console.log(`answers right: ${sum.right}, wrong: ${sum.wrong}`);
  return cases.length > 0 && sum.wrong === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
