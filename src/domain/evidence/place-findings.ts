// Where findings of a range happened: the last step between neighbours that shows one, else the narrowest pair that does.
import type { Finding } from './finding.ts';

interface PairFindings<T extends Finding = Finding> {
  from: string;
  to: string;
  isStep: boolean;
  findings: readonly T[];
}

export interface PlacedFindings<T extends Finding = Finding> {
  from: string;
  to: string;
  // No other version lies between the two: it happened in `to`.
  isLocated: boolean;
  findings: T[];
  // What came inside the range and is gone again, or the other way round: nothing of it is left for who takes the whole.
  notYours: T[];
}

// `pairs` are in order of their versions, narrower ones of the same end later; `whole` is the range itself, if it was compared.
export function placeFindings<T extends Finding>(
  whole: PairFindings<T> | null,
  pairs: readonly PairFindings<T>[],
): PlacedFindings<T>[] {
  const places = new Map<PairFindings<T>, PlacedFindings<T>>();
  const placeOf = (pair: PairFindings<T>): PlacedFindings<T> => {
    const known = places.get(pair);
    if (known) return known;
    const { from, to, isStep } = pair;
    const made = { from, to, isLocated: isStep, findings: [], notYours: [] };
    places.set(pair, made);
    return made;
  };
  const last = new Map<string, PairFindings<T>>();
  for (const pair of [...pairs.filter(({ isStep }) => !isStep), ...pairs.filter(({ isStep }) => isStep)]) {
    for (const finding of pair.findings) last.set(identityOf(finding), pair);
  }
  if (whole === null) {
    for (const pair of pairs) {
      const own = pair.findings.filter((one) => last.get(identityOf(one)) === pair);
      if (own.length > 0) placeOf(pair).findings.push(...own);
    }
    return pairs.flatMap((pair) => places.get(pair) ?? []);
  }
  const yours = new Set(whole.findings.map(identityOf));
  const names = new Set(whole.findings.map(({ name, subpath }) => `${subpath} ${name}`));
  for (const finding of whole.findings) placeOf(last.get(identityOf(finding)) ?? whole).findings.push(finding);
  for (const pair of pairs) {
    if (!pair.isStep) continue;
    // What the range tells in other words is the reader's all the same.
    const passing = pair.findings.filter(
      (one) => !yours.has(identityOf(one)) && !names.has(`${one.subpath} ${one.name}`),
    );
    if (passing.length > 0) placeOf(pair).notYours.push(...passing);
  }
  return [whole, ...pairs].flatMap((pair) => places.get(pair) ?? []);
}

const FLOORS: ReadonlySet<Finding['kind']> = new Set(['engines_raised', 'peer_raised', 'peer_added']);

function identityOf({ kind, name, subpath, is }: Finding): string {
  return JSON.stringify(FLOORS.has(kind) ? [kind, name, subpath, is] : [kind, name, subpath]);
}
