// Asks what a list of dependency changes brings, a hundred packages a call.
import type { WhatsChanged, WhatsChangedBatch } from '../../../contract/whats-changed.ts';
import { isRecord } from '../../../domain/records.ts';
import type { Api } from '../api.ts';
import type { DependencyChange } from './changes.ts';
import { type Risk, verdictOf } from './verdict.ts';

interface AskedPackage {
  package: string;
  ecosystem: 'npm' | 'pypi';
  from: string;
  to: string;
}

// A server, or a registry in this process.
export interface UpgradeAsker {
  batch(items: readonly AskedPackage[]): Promise<WhatsChangedBatch>;
  one(item: AskedPackage): Promise<WhatsChanged>;
}

export interface JudgedChange extends DependencyChange {
  // Null: added or removed, which is no upgrade.
  risk: Risk | null;
  verdict: string;
  isTracked: boolean;
  answer: WhatsChanged | null;
}

const BATCH = 100;
const LONGEST_ASKED = 200;
// Answers of a batch share a budget; so many of those that were cut and break something are asked for again, alone.
const MOST_ASKED_AGAIN = 20;

export function askServer(api: Api): UpgradeAsker {
  return {
    batch: (items) => api.send({ method: 'POST', path: '/v1/whats-changed/batch', body: { items }, isRead: true }),
    one: (item) => api.get('/v1/whats-changed', { ...item }),
  };
}

interface AskOptions {
  asker: UpgradeAsker;
  onProgress?: (done: number) => void;
}

export async function judgeChanges(
  changes: readonly DependencyChange[],
  { asker, onProgress }: AskOptions,
): Promise<JudgedChange[]> {
  const judged = new Map<DependencyChange, JudgedChange>(changes.map((change) => [change, unasked(change)]));
  const upgrades = changes.flatMap((change) => {
    const question = questionOf(change);
    return question ? [{ change, question }] : [];
  });
  for (let start = 0; start < upgrades.length; start += BATCH) {
    const batch = upgrades.slice(start, start + BATCH);
    const { items } = await asker.batch(batch.map(({ question }) => question));
    for (const item of items) {
      const change = batch[item.index]?.change;
      if (change) judged.set(change, 'error' in item ? refused(change, item.error) : answered(change, item));
    }
    onProgress?.(Math.min(upgrades.length, start + BATCH));
  }
  const cut = upgrades.filter(({ change }) => isCutBreak(judged.get(change))).slice(0, MOST_ASKED_AGAIN);
  for (const { change, question } of cut) judged.set(change, answered(change, await asker.one(question)));
  return changes.flatMap((change) => judged.get(change) ?? []);
}

function questionOf({ ecosystem, name, from, to }: DependencyChange): AskedPackage | null {
  if (from === null || to === null || name.length > LONGEST_ASKED) return null;
  return { package: name, ecosystem, from, to };
}

function isCutBreak(judged: JudgedChange | undefined): boolean {
  return judged?.answer?.truncated === true && (judged.risk === 'major' || judged.risk === 'minor');
}

function unasked(change: DependencyChange): JudgedChange {
  const none = { ...change, isTracked: false, answer: null };
  if (change.from === null) return { ...none, risk: null, verdict: 'added' };
  if (change.to === null) return { ...none, risk: null, verdict: 'removed' };
  return { ...none, risk: 'unknown', verdict: 'unknown: not answered' };
}

function answered(change: DependencyChange, answer: WhatsChanged): JudgedChange {
  const { risk, text } = verdictOf(answer);
  return { ...change, risk, verdict: text, isTracked: answer.source !== null, answer };
}

function refused(change: DependencyChange, error: { message: string; details?: unknown }): JudgedChange {
  const isDowngrade = isRecord(error.details) && error.details.reason === 'from_after_to';
  const verdict = isDowngrade ? 'unknown: a downgrade, which is not judged' : `unknown: ${error.message}`;
  return { ...change, risk: 'unknown', verdict, isTracked: true, answer: null };
}
