// Work for the tests of read threads.
import { sql } from 'kysely';
import { threadTask } from '../../threads/task.ts';
import type { BesideWork } from '../beside.ts';

type Work = BesideWork<number, { factor: number }>;

// Reads a number, asks the sender for another one, and multiplies.
export async function multiply({ input, shared, queries, ask }: Work): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT ${input} + 1 AS n`.execute(queries);
  return (rows[0]?.n ?? 0) * shared.factor * ((await ask('more')) as number);
}

export async function readNowhere({ queries }: Work): Promise<unknown> {
  return sql`SELECT * FROM nowhere`.execute(queries);
}

export async function leave(): Promise<never> {
  process.exit(1);
}

export const MULTIPLY = threadTask(import.meta.url, multiply);
export const READ_NOWHERE = threadTask(import.meta.url, readNowhere);
export const LEAVE = threadTask(import.meta.url, leave);
