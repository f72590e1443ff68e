// The packages of many steps side by side: direct dependencies first, then the others by the size of their step, as far as the
// volume of downloads goes.
import { atOnce } from '../at-once.ts';
import type { FolderSource } from '../packages/open-source.ts';
import type { Step } from '../questions.ts';
import type { CheckOptions, CheckStage } from '../report.ts';
import { comparePair, nothingSeen, type PairEvidence, storedPair } from './compare-pair.ts';
import type { NamedPair } from './gather.ts';

const PAIRS_AT_ONCE = 4;
const MOST_DOWNLOADED = 500_000_000;

interface StepTools {
  opened: FolderSource;
  options: Pick<CheckOptions, 'signal' | 'isIndirect'>;
  // To whom the names of a package and of its needs may be told.
  namingOf(name: string): Pick<NamedPair, 'isPublic' | 'mayName'>;
  stage(stage: CheckStage): void;
}

// In the order of the steps; null where packages of that kind are not compared.
export async function compareSteps(steps: readonly Step[], tools: StepTools): Promise<(PairEvidence | null)[]> {
  const order = [...steps.keys()].sort((a, b) => weight(steps[a]) - weight(steps[b]));
  const results: (PairEvidence | null)[] = [];
  await atOnce(
    order,
    PAIRS_AT_ONCE,
    async (at) => {
      results[at] = await evidenceOf(steps[at] as Step, tools);
    },
    (done, at) => {
      const { question, from, to } = steps[at] as Step;
      const detail = `${question.change.name} ${from} → ${to}`;
      tools.stage({ name: 'packages', done, total: order.length, detail });
    },
  );
  return results;
}

async function evidenceOf(
  { question: { change }, from, to, listing }: Step,
  { opened: { source, cache }, options: { signal, isIndirect }, namingOf }: StepTools,
): Promise<PairEvidence | null> {
  if (change.ecosystem !== 'npm') return null;
  const [old, next] = [from, to].map((one) => listing.versions.find(({ version }) => version === one));
  if (!old || !next) return nothingSeen('not_available', `${old ? to : from} is not listed`);
  const pair = { name: change.name, from: old, to: next, ...namingOf(change.name) };
  if (change.direct === false && storedPair(cache, pair) === null) {
    if (!isIndirect) return nothingSeen('not_ordered', 'indirect; --indirect compares it');
    if (source.downloaded > MOST_DOWNLOADED) {
      return nothingSeen('not_ordered', `${MOST_DOWNLOADED / 1_000_000} MB were downloaded for others`);
    }
  }
  return comparePair({ source, cache, signal }, pair);
}

function weight(step: Step | undefined): number {
  if (!step) return 9;
  const [from, to] = [step.from, step.to].map((version) => version.split('.'));
  // Below 1.0.0 the second number tells of breaks.
  const isMajor = from?.[0] !== to?.[0] || (from?.[0] === '0' && from[1] !== to?.[1]);
  const size = isMajor ? 0 : from?.[1] !== to?.[1] ? 1 : 2;
  return (step.question.change.direct === false ? 3 : 0) + size;
}
