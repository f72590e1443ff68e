// What an evaluation has found at an address: facts of its answer, and reading options, the best first.
import type { Evaluation, Method } from '../../contract/evaluate.ts';
import type { SampleItem } from './proofs.ts';

export interface ReadingOption {
  method: Method;
  // The address to create the source with.
  url: string;
  reason: string;
  confidence: Evaluation['confidence'];
  name: string | null;
  items: SampleItem[];
}

export type Findings = Pick<
  Evaluation,
  'finalUrl' | 'feedUrl' | 'feedType' | 'githubRepo' | 'appStore' | 'video' | 'pageStructure' | 'provider' | 'notes'
> & { options: ReadingOption[] };

export function nothingFound(finalUrl: string): Findings {
  return {
    finalUrl,
    feedUrl: null,
    feedType: null,
    githubRepo: null,
    appStore: null,
    video: null,
    pageStructure: 'unknown',
    provider: null,
    notes: [],
    options: [],
  };
}
