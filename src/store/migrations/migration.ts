import type { Dialect } from '../dialect.ts';
import type { Queries } from '../schema/index.ts';

// Forward only. `up` returns statements that both engines run; the dialect fills in what they spell differently.
export interface Migration {
  up(dialect: Dialect): string[];
  // Changes of rows that SQL alone cannot make on both engines; runs after the statements, in their transaction.
  rows?(tx: Queries): Promise<void>;
}
