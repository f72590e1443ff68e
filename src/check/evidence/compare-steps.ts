// The packages of many steps side by side: direct dependencies first, then the others by the size of their step, as far as the
// volume of downloads goes.
import { isComparedEcosystem, type PackageName } from '../../domain/ecosystems/index.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import type { FolderSource } from '../packages/open-source.ts';
import type { Step } from '../questions.ts';
import type { CheckOptions, CheckStage } from '../report.ts';
import { comparePair, nothingSeen, type PairEvidence, storedPair } from './compare-pair.ts';
import type { NamedPair } from './gather.ts';

const PAIRS_AT_ONCE = 4;
const MAX_DOWNLOADED = 500_000_000;

interface StepTools {
  opened: FolderSource;
  options: Pick<CheckOptions, 'signal' | 'isIndirect' | 'mostDownloaded'>;
  // To whom the names of a package and of its needs may be told.
  namingOf(named: PackageName): Pick<NamedPair, 'isPublic' | 'mayName'>;
  stage(stage: CheckStage): void;
}

// In the order of the steps; null where packages of that kind are not compared.
export async function compareSteps(steps: readonly Step[], tools: StepTools): Promise<(PairEvidence | null)[]> {
  const results = new Map<Step, PairEvidence | null>();
  const compare = async (step: Step) => {
    results.set(step, await evidenceOf(step, tools));
    const detail = `${step.question.change.name} ${step.from} → ${step.to}`;
    tools.stage({ name: 'packages', done: results.size, total: steps.length, detail });
  };
  const inOrder = steps.toSorted((a, b) => weight(a) - weight(b));
  const isIndirect = ({ question }: Step) => question.change.direct === false;
  await mapConcurrently(
    inOrder.filter((step) => !isIndirect(step)),
    PAIRS_AT_ONCE,
    compare,
  );
  // One handful after the other, so that the volume ends at the same package every time.
  const indirect = inOrder.filter(isIndirect);
  for (let at = 0; at < indirect.length; at += PAIRS_AT_ONCE) {
    await Promise.all(indirect.slice(at, at + PAIRS_AT_ONCE).map(compare));
  }
  return steps.map((step) => results.get(step) ?? null);
}

async function evidenceOf(
  { question: { change }, from, to, listing }: Step,
  { opened: { source, cache }, options, namingOf }: StepTools,
): Promise<PairEvidence | null> {
  const { signal, isIndirect, mostDownloaded = MAX_DOWNLOADED } = options;
  if (!isComparedEcosystem(change.ecosystem)) return null;
  const [old, next] = [from, to].map((one) => listing.versions.find(({ version }) => version === one));
  if (!old || !next) return nothingSeen('not_available', `${old ? to : from} is not listed`);
  const pair = { ecosystem: change.ecosystem, name: change.name, from: old, to: next, ...namingOf(change) };
  if (change.direct === false && storedPair(cache, pair) === null) {
    if (!isIndirect) return nothingSeen('not_ordered', 'indirect; --indirect compares it');
    if (source.downloaded > mostDownloaded) {
      return nothingSeen('not_ordered', `${Math.round(mostDownloaded / 1_000_000)} MB were downloaded for others`);
    }
  }
  return comparePair({ source, cache, signal }, pair);
}

// The larger the step, the earlier.
function weight({ from, to }: Step): number {
  const [[major, minor], [newMajor, newMinor]] = [from.split('.'), to.split('.')];
  // Below 1.0.0 the second number tells of breaks.
  if (major !== newMajor || (major === '0' && minor !== newMinor)) return 0;
  return minor === newMinor ? 2 : 1;
}
