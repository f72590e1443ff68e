// Scores of judged entries: the precision of "major", the recall of breaks, and how many breaks are called safe.
import type { BreakingVerdict } from '../../src/domain/notes/index.ts';
import type { CorpusEntry } from './corpus.ts';
import type { Label } from './labels.ts';

export interface Judged {
  label: Label;
  entry: CorpusEntry;
  verdict: BreakingVerdict;
}

export interface Score {
  items: number;
  majors: number;
  called: number;
  right: number;
  // Labelled major and called none: the one mistake that gives false comfort.
  calledNone: number;
  agreed: number;
}

export function score(judged: readonly Judged[]): Score {
  const count = (holds: (one: Judged) => boolean) => judged.filter(holds).length;
  return {
    items: judged.length,
    majors: count(({ label }) => label.label === 'major'),
    called: count(({ verdict }) => verdict === 'major'),
    right: count(({ label, verdict }) => label.label === 'major' && verdict === 'major'),
    calledNone: count(({ label, verdict }) => label.label === 'major' && verdict === 'none'),
    agreed: count(({ label, verdict }) => label.label === verdict),
  };
}

export const precision = ({ right, called }: Score): number => (called === 0 ? 1 : right / called);
export const recall = ({ right, majors }: Score): number => (majors === 0 ? 1 : right / majors);

interface Bar {
  name: string;
  value: number;
  bar: number;
  passed: boolean;
}

// The minimum scores of the scored part.
export function bars(judged: readonly Judged[]): Bar[] {
  const all = score(judged);
  const outside = score(judged.filter(({ entry }) => entry.step !== 'major'));
  const none = all.majors === 0 ? 0 : all.calledNone / all.majors;
  return [
    { name: 'precision of major', value: precision(all), bar: 0.9, passed: precision(all) >= 0.9 },
    { name: 'recall of major', value: recall(all), bar: 0.85, passed: recall(all) >= 0.85 },
    {
      name: 'precision outside major steps',
      value: precision(outside),
      bar: 0.85,
      passed: precision(outside) >= 0.85,
    },
    { name: 'majors called none', value: none, bar: 0.02, passed: none <= 0.02 },
  ];
}
