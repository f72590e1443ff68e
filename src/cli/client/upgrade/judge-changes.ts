// Requests the verdicts on a list of dependency changes, a hundred packages per call.

import type { WhatsChanged, WhatsChangedBatch } from '../../../contract/whats-changed.ts';
import type { Ecosystem } from '../../../domain/ecosystems/index.ts';
import { elementAt, isRecord } from '../../../domain/records.ts';
import { isDowngrade } from '../../../domain/upgrade/lockfiles/upgrades.ts';
import { answeredRow, LOWERED, problemOf, UNORDERED, unansweredRow } from '../../../domain/upgrade/report/answer.ts';
import { worthAsking } from '../../../domain/upgrade/report/ask-again.ts';
import type { NotesVerdict, ReportRow } from '../../../domain/upgrade/report/row.ts';
import type { Api } from '../api.ts';
import type { AwaitReadings } from './await-reading.ts';
import type { DependencyChange } from './changes.ts';
import { verdictOf } from './verdict.ts';

interface UpgradeQuery {
  package: string;
  ecosystem: Ecosystem;
  from: string;
  to: string;
}

// A server, or a registry in this process.
export interface WhatsChangedApi {
  batch(items: readonly UpgradeQuery[]): Promise<WhatsChangedBatch>;
  one(item: UpgradeQuery): Promise<WhatsChanged>;
}

interface OfflineInput {
  lockfile: string;
  // The requested packages; others are not read.
  names: ReadonlySet<string>;
  signal: AbortSignal;
  onProgress: (done: number) => void;
}

// Works with a temporary registry of this process, which only the program with the server can open.
export type OfflineRegistry = <T>(
  input: OfflineInput,
  work: (whatsChanged: WhatsChangedApi) => Promise<T>,
) => Promise<T>;

export interface JudgedChange extends DependencyChange {
  // Null for an added or removed package, which is not an upgrade.
  risk: NotesVerdict | null;
  // As it is shown, by the judgement of the answer.
  row: ReportRow;
  verdict: string;
  answer: WhatsChanged | null;
}

const DOWNGRADE = 'a downgrade, which is not judged';
const BATCH = 100;
const MAX_NAME_LENGTH = 200;

export function serverApi(api: Api): WhatsChangedApi {
  return {
    batch: (items) => api.send({ method: 'POST', path: '/v1/whats-changed/batch', body: { items }, isRead: true }),
    one: (item) => api.get('/v1/whats-changed', { ...item }),
  };
}

interface JudgeOptions {
  whatsChanged: WhatsChangedApi;
  onProgress?: (done: number) => void;
  // Absent: what is being read is not waited for.
  awaitReadings?: AwaitReadings;
}

export async function judgeChanges(
  changes: readonly DependencyChange[],
  { whatsChanged, onProgress, awaitReadings }: JudgeOptions,
): Promise<JudgedChange[]> {
  const judged = new Map<DependencyChange, JudgedChange>(changes.map((change) => [change, unjudged(change)]));
  const upgrades = changes.flatMap((change) => {
    const upgrade = upgradeOf(change);
    return upgrade ? [{ change, upgrade }] : [];
  });
  const judge = async (asked: typeof upgrades) => {
    for (let start = 0; start < asked.length; start += BATCH) {
      const batch = asked.slice(start, start + BATCH);
      const { items } = await whatsChanged.batch(batch.map(({ upgrade }) => upgrade));
      for (const item of items) {
        const change = batch[item.index]?.change;
        if (change) judged.set(change, 'error' in item ? refused(change, item.error) : answered(change, item));
      }
      onProgress?.(Math.min(upgrades.length, start + BATCH));
    }
  };
  await judge(upgrades);
  const lacking = upgrades.filter(({ change }) => judged.get(change)?.answer?.reading);
  if (await awaitReadings?.(lacking.map(({ change }) => judged.get(change)?.answer?.reading))) await judge(lacking);
  for (const at of worthAsking(upgrades.map(({ change }) => judged.get(change)?.answer ?? null))) {
    const { change, upgrade } = elementAt(upgrades, at);
    judged.set(change, answered(change, await whatsChanged.one(upgrade)));
  }
  return changes.flatMap((change) => judged.get(change) ?? []);
}

// A package of a repository or a folder is not the package of that name in a registry, so nobody is asked about it.
function upgradeOf(change: DependencyChange): UpgradeQuery | null {
  const { ecosystem, name, from, to, source } = change;
  if (from === null || to === null || name.length > MAX_NAME_LENGTH) return null;
  if (source !== 'registry' || isDowngrade(change)) return null;
  return { package: name, ecosystem, from, to };
}

function unjudged(change: DependencyChange): JudgedChange {
  const row = unansweredRow(change, problemOf(change) ?? 'Not answered');
  const none = { ...change, answer: null, risk: 'unknown', row } as const;
  if (change.from === null) return { ...none, risk: null, verdict: 'added' };
  if (change.to === null) return { ...none, risk: null, verdict: 'removed' };
  if (change.source !== 'registry') {
    return { ...none, verdict: `not from a registry (${change.source})` };
  }
  if (isDowngrade(change)) return { ...none, verdict: DOWNGRADE };
  return { ...none, verdict: 'not known: not answered' };
}

function answered(change: DependencyChange, answer: WhatsChanged): JudgedChange {
  const { risk, text } = verdictOf(answer);
  return { ...change, risk, verdict: text, answer, row: answeredRow(change, answer) };
}

function refused(change: DependencyChange, error: { message: string; details?: unknown }): JudgedChange {
  const isLower = isRecord(error.details) && error.details.reason === 'from_after_to';
  const verdict = isLower ? DOWNGRADE : `not known: ${error.message}`;
  const row = unansweredRow(change, isLower ? LOWERED : UNORDERED);
  return { ...change, risk: 'unknown', verdict, answer: null, row };
}
