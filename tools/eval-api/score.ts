// Findings against the truth of a step.
import type { Finding } from '../../src/domain/evidence/finding.ts';
import type { Step, TrueBreak } from './truth.ts';

const SIGNATURES = /^(?:parameter|result|type)_/;

export interface Share {
  right: number;
  all: number;
}

export interface Score {
  recall: Map<string, Share>;
  names: Share;
  signatures: Share;
  // Traps on which nothing was said.
  silence: Share;
  // On steps of which every difference was read.
  proven: Share;
  likely: Share;
  // Findings on patch steps that no truth explains.
  patchAlarms: number;
  notes: string[];
}

export function emptyScore(): Score {
  const none = () => ({ right: 0, all: 0 });
  return {
    recall: new Map(),
    names: none(),
    signatures: none(),
    silence: none(),
    proven: none(),
    likely: none(),
    patchAlarms: 0,
    notes: [],
  };
}

export function scoreStep(score: Score, step: Step, findings: readonly Finding[]): void {
  const explained = new Set<Finding>();
  for (const one of step.breaks) {
    const match = findings.find((finding) => isAbout(finding, one));
    if (match) explained.add(match);
    if (one.doubt !== undefined) continue;
    const byClass = score.recall.get(one.class) ?? { right: 0, all: 0 };
    score.recall.set(one.class, byClass);
    count(byClass, match !== undefined);
    count(SIGNATURES.test(one.class) ? score.signatures : score.names, match !== undefined);
    if (!match) score.notes.push(`missed ${one.class} ${one.subpath} ${one.name}`);
  }
  for (const { kind, name } of step.traps) {
    const alarm = findings.find((finding) => finding.name === name && !explained.has(finding));
    count(score.silence, alarm === undefined);
    if (alarm) score.notes.push(`trap ${kind} ${name}: ${alarm.kind} ${alarm.text}`);
  }
  for (const finding of findings) {
    const isRight = explained.has(finding);
    if (step.coverage === 'full') {
      count(score[finding.certainty], isRight);
      if (!isRight) score.notes.push(`false alarm ${finding.kind} ${finding.subpath} ${finding.name}`);
    }
    if (step.step === 'patch' && !isRight) score.patchAlarms += 1;
  }
}

// A truth may name a part behind `#`: the parameter, or the option.
function isAbout({ name, subpath }: Finding, truth: TrueBreak): boolean {
  if (truth.subpath !== '' && truth.subpath !== subpath) return false;
  return name === truth.name || name === truth.name.split('#')[0];
}

function count(share: Share, isRight: boolean): void {
  share.all += 1;
  if (isRight) share.right += 1;
}
