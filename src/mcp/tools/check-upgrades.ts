// Many packages at once: what breaks comes first, and is named before anything else is told in detail.
import { z } from 'zod';
import { badRequest } from '../../contract/errors.ts';
import {
  MAX_BATCH_ITEMS,
  MAX_QUERY_CHARACTERS,
  UPGRADE_ECOSYSTEMS,
  type WhatsChangedBatch,
} from '../../contract/whats-changed.ts';
import { elementAt } from '../../domain/records.ts';
import { isProposal, type PackageUpgrade, type ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { worthAsking } from '../../domain/upgrade/report/ask-again.ts';
import { GROUP_WORDS, GROUPS, groupOf, orderRows } from '../../domain/upgrade/report/groups.ts';
import type { ReportRow } from '../../domain/upgrade/report/row.ts';
import {
  judgementWords,
  type SummaryOptions,
  summarySentence,
  totalsLine,
  useWords,
} from '../../domain/upgrade/report/words.ts';
import { readProject } from '../../packages/whats-changed/project-files.ts';
import { shownRows, upgradeReport } from '../../packages/whats-changed/report.ts';
import { awaitReadings, isBeingRead } from '../await-readings.ts';
import { type Cut, excerptCut, listCut } from '../budget.ts';
import { blocks, facts, lines, QUOTE_NOTE } from '../markdown.ts';
import { inline, quoted, shortened } from '../quoting.ts';
import type { RegistryApi } from '../registry-api.ts';
import { fitResult } from '../result.ts';
import { COMPLETE } from '../shapes.ts';
import { type FolderCheck, tool } from '../tool.ts';

// Of both texts together.
const MAX_BYTES = 160 * 1024;
const MAX_ITEMS = 500;

const requested = z.string().trim().min(1).max(MAX_QUERY_CHARACTERS);
const item = z.object({
  package: requested.describe('Its name.'),
  ecosystem: z.enum(UPGRADE_ECOSYSTEMS).optional().describe('Where it is published.'),
  from: requested.describe('Version in use.'),
  to: requested.describe('Version to go to, or a tag such as latest or next.'),
});

const row = z.object({
  package: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  group: z.enum(GROUPS),
  judgement: z.string().describe('In words, with whether the project uses what changed.'),
  reason: z.string(),
  direct: z.boolean().nullable(),
  steps: z.array(z.string()),
  usedAt: z.array(z.string()),
});
type Row = z.infer<typeof row>;

interface Value {
  summary: string;
  totals: string;
  count: number;
  packages: Row[];
}

export const checkUpgrades = tool({
  name: 'check_upgrades',
  title: 'Check many upgrades at once',
  description:
    'Which of many upgrades break, by risk: what breaks, security fixes, what may break, what is not known. Give `items`, or the text of a `lockfile`: with `previous` what changed since, alone what the newest versions bring. For one package in detail use whats_changed.',
  input: {
    items: z.array(item).min(1).max(MAX_ITEMS).optional().describe('Packages, two versions each.'),
    lockfile: z.string().min(1).optional().describe('Text of a lockfile or a diff; 160 kB with `previous`.'),
    previous: z.string().min(1).optional().describe('The same lockfile before.'),
    folder: z.string().min(1).max(4096).optional().describe('Project folder; only over stdio, below a --root.'),
  },
  output: { summary: z.string(), totals: z.string(), count: z.int(), packages: z.array(row) },
  async run({ api, checkFolder, maxTokens }, { items, lockfile, previous, folder }) {
    if ([items, lockfile, folder].filter((given) => given !== undefined).length !== 1) {
      throw badRequest('items', 'give one of items, lockfile and folder');
    }
    if (previous !== undefined && lockfile === undefined) throw badRequest('previous', 'needs lockfile');
    // A folder is checked against newer versions, like one lockfile alone.
    if (folder !== undefined) {
      const { rows, left, gaps } = await ofFolder(checkFolder, folder);
      return fitRows(rows, maxTokens, { isProposal: true, left, gaps });
    }
    const questions = items ? ofItems(items) : await ofLockfile(lockfile ?? '', previous);
    const { rows, reading } = await ofQuestions(api, questions);
    return fitRows(rows, maxTokens, { isProposal: isProposal(questions.read.kind), gaps: stillRead(reading) });
  },
});

interface Questions {
  read: ProjectUpgrades;
  // Of each upgrade; undefined where the caller leaves it open.
  ecosystems: readonly ((typeof UPGRADE_ECOSYSTEMS)[number] | undefined)[];
}

function ofItems(items: readonly z.infer<typeof item>[]): Questions {
  const unknown = { direct: null, dev: null, optional: null, source: 'registry', fromRef: null, toRef: null } as const;
  const upgrades = items.map(({ package: name, ecosystem, from, to }): PackageUpgrade => {
    return { ...unknown, as: [], name, ecosystem: ecosystem === 'pypi' ? 'pypi' : 'npm', from, to };
  });
  const read: ProjectUpgrades = { kind: 'two_states', upgrades, omitted: 0, others: [] };
  return { read, ecosystems: items.map(({ ecosystem }) => ecosystem) };
}

async function ofLockfile(lockfile: string, previous: string | undefined): Promise<Questions> {
  const bytes = Buffer.byteLength(lockfile) + Buffer.byteLength(previous ?? '');
  if (bytes > MAX_BYTES) {
    throw badRequest(
      'lockfile',
      `the texts have ${Math.ceil(bytes / 1024)} kB together, and at most 160 kB are taken; send the changed packages as items, or run \`registry mcp --stdio --root <folder>\` beside the project and give folder`,
    );
  }
  const files = previous === undefined ? [{ text: lockfile }] : [{ text: previous }, { text: lockfile }];
  const read = await readProject({ files });
  if ('problem' in read) throw badRequest('lockfile', read.problem);
  return { read, ecosystems: read.upgrades.map(({ ecosystem }) => ecosystem) };
}

function stillRead(count: number): string[] {
  if (count === 0) return [];
  return [`${count} of them are still being read: check_upgrades with the same arguments goes on waiting`];
}

async function ofQuestions(
  api: RegistryApi,
  { read, ecosystems }: Questions,
): Promise<{ rows: ReportRow[]; reading: number }> {
  const questions = read.upgrades.map(({ name, from, to }, index) => ({
    package: name,
    ...(ecosystems[index] === undefined ? {} : { ecosystem: ecosystems[index] }),
    from,
    to,
  }));
  const answers: WhatsChangedBatch['items'] = [];
  const ask = async (slots: readonly number[]) => {
    for (let start = 0; start < slots.length; start += MAX_BATCH_ITEMS) {
      const part = slots.slice(start, start + MAX_BATCH_ITEMS);
      const body = { items: part.map((slot) => elementAt(questions, slot)) };
      const { items } = await api.send('POST /whats-changed/batch', { body });
      for (const item of items) answers[elementAt(part, item.index)] = item;
    }
  };
  await ask(questions.map((_, slot) => slot));
  const readings = answers.map((answer) => ('error' in answer ? undefined : answer.reading));
  if (await awaitReadings(api, readings)) {
    await ask(readings.flatMap((reading, slot) => (isBeingRead(reading) ? [slot] : [])));
  }
  for (const at of worthAsking(answers.map((answer) => ('error' in answer ? null : answer)))) {
    answers[at] = { index: at, ...(await api.get('/whats-changed', { query: { ...elementAt(questions, at) } })) };
  }
  const reading = answers.filter((answer) => !('error' in answer) && isBeingRead(answer.reading)).length;
  return { rows: await shownRows(upgradeReport(read, answers)), reading };
}

async function ofFolder(checkFolder: FolderCheck | undefined, folder: string) {
  if (checkFolder) return checkFolder(folder);
  throw badRequest(
    'folder',
    'this connection has no folders: run `registry mcp --stdio --root <folder>` on the machine of the project, or send items or a lockfile',
  );
}

const MAX_STEPS = 20;

function shown(one: ReportRow): Row {
  return {
    package: one.package,
    from: one.from,
    to: one.to,
    group: groupOf(one),
    judgement: judgementWords(one),
    reason: one.reason,
    direct: one.direct,
    steps: one.steps.slice(0, MAX_STEPS).map(({ text }) => text),
    usedAt: one.use ? [useWords(one.use)] : [],
  };
}

const QUIET = new Set<string>(GROUPS.slice(GROUPS.indexOf('no_sign')));
// What breaks and what repairs a security problem is named before anything is told in detail of the rest.
const isUrgent = ({ group, judgement }: Row) => group === 'security' || judgement.startsWith('breaks');

function fitRows(
  rows: readonly ReportRow[],
  maxTokens: number,
  { gaps = [], ...options }: SummaryOptions & { gaps?: readonly string[] },
) {
  const ordered = orderRows(rows);
  const value: Value = {
    summary: [summarySentence(rows, options), ...gaps].join('. '),
    totals: totalsLine(rows),
    count: rows.length,
    packages: ordered.map(shown),
  };
  const cuts: Cut<Value>[] = [
    rowsCut((one) => QUIET.has(one.group)),
    stepsCut(3, isUrgent),
    stepsCut(0, () => true),
    excerptCut((cut, length) => ({
      ...cut,
      packages: cut.packages.map((one) => ({ ...one, reason: shortened(one.reason, isUrgent(one) ? length : 0) })),
    })),
    rowsCut((one) => !isUrgent(one)),
    listCut('packages'),
  ];
  return fitResult<Value>(
    {
      value,
      cuts,
      text: reportText,
      truncation: ({ packages }, cut) =>
        cut
          ? { truncated: true, reason: 'token_budget', omitted: rows.length - packages.length, next: null }
          : COMPLETE,
    },
    maxTokens,
  );
}

// Leaves out rows from the end, as long as `may` holds for them.
function rowsCut(may: (one: Row) => boolean): Cut<Value> {
  const last = ({ packages }: Value) => packages.length - 1 - packages.findLastIndex((one) => !may(one));
  return {
    most: last,
    apply: (value, steps) => ({ ...value, packages: value.packages.slice(0, value.packages.length - steps) }),
  };
}

// Leaves `kept` steps to the rows for which `keeps` holds, and none to the others.
function stepsCut(kept: number, keeps: (one: Row) => boolean): Cut<Value> {
  return {
    most: () => 1,
    apply: (value, steps) =>
      steps === 0
        ? value
        : {
            ...value,
            packages: value.packages.map((one) => ({ ...one, steps: keeps(one) ? one.steps.slice(0, kept) : [] })),
          },
  };
}

function reportText({ summary, totals, packages }: Value): string {
  return blocks(`# ${summary}`, totals && `${totals}.`, packages.length > 0 && QUOTE_NOTE, ...packages.map(rowText));
}

function rowText({ package: name, from, to, group, judgement, reason, direct, steps, usedAt }: Row): string {
  const move = [from, to]
    .filter((version) => version !== null)
    .map(inline)
    .join(' → ');
  const words = group === 'security' ? `${GROUP_WORDS.security.word}, ${judgement}` : judgement;
  return lines(
    facts(
      `- ${inline(name)} ${move}`,
      words,
      direct === true && 'direct',
      ...usedAt.map((place) => `used: ${inline(place)}`),
    ),
    quoted([reason, ...steps.map((step) => `- ${step}`)].filter(Boolean).join('\n')),
  );
}
