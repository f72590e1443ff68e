// What the mixed load consists of, for the process that sends it and the one that judges it.

export const KINDS = ['cached read', 'uncached read', 'search', 'write', 'batch'] as const;
export type Kind = (typeof KINDS)[number];

export interface LoadOrder {
  url: string;
  rootKey: string;
  seconds: number;
  // The sources that are written to, the addresses that are read, and the words that are searched.
  sources: string[];
  paths: string[];
  queries: string[];
}

export interface MixedLoad {
  // Milliseconds of each answered request, by kind: of those that were sent alone before, and of the load after its first tenth.
  alone: Record<Kind, number[]>;
  times: Record<Kind, number[]>;
  sent: number;
  answered: number;
  // The versions of releases that were confirmed.
  acknowledged: string[];
  // What else came, by kind and status or error.
  failures: Record<string, number>;
  seconds: number;
}
