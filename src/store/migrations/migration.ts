import type { Dialect } from '../dialect.ts';

// Forward only. `up` returns statements that both engines run; the dialect fills in what they spell differently.
export interface Migration {
  number: number;
  name: string;
  up(dialect: Dialect): string[];
}
