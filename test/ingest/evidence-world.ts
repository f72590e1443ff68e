// A registry of packages and an app that compares what it publishes.
import type { TestContext } from 'node:test';
import { type Context, plainAnswer } from '../../src/context.ts';
import { ANONYMOUS, type Caller } from '../../src/contract/caller.ts';
import { compareVersions } from '../../src/packages/evidence/evidence-of-ranges.ts';
import { createFetching } from '../../src/worker/fetching.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { movableClock } from '../support/clock.ts';
import type { TestEngine } from '../support/engines.ts';
import { type NpmRegistry, startRegistry } from './npm-registry.ts';

export const READER: Caller = { ...ANONYMOUS, kind: 'user_key', name: 'reader', ip: '192.0.2.9' };

export const visitor = (address: number): Caller => ({ ...ANONYMOUS, ip: `198.51.100.${address}` });
export const as = (ctx: Context, caller: Caller): Context => ({ ...ctx, caller, answer: plainAnswer() });

// A package whose versions lose one function after the other.
export function publishSteps(registry: NpmRegistry, name: string, versions: Record<string, string[]>): void {
  for (const [version, names] of Object.entries(versions)) {
    registry.publish(name, version, {
      'package.json': JSON.stringify({ types: './index.d.ts', main: './index.js' }),
      'index.js': '',
      'index.d.ts': `${names.map((one) => `export declare function ${one}(): void;`).join('\n')}\nexport {};`,
    });
  }
}

export async function openEvidence(engine: TestEngine, t: TestContext, env: Record<string, string> = {}) {
  const registry = await startRegistry(t);
  const clock = movableClock('2026-03-01T12:00:00.000Z');
  const { ctx } = await engine.openTestApp({ clock, env: { ...registry.env, ...env } });
  const work = () => createWorker(ctx, { tasks: createFetching() }).drain();
  const ask = async (name: string, from: string, to: string, caller: Caller = READER) =>
    compareVersions(as(ctx, caller), { ecosystem: 'npm', name, from, to });
  const orders = () => ctx.store.read.selectFrom('evidence_orders').selectAll().orderBy('priority').execute();
  const pairs = () => ctx.store.read.selectFrom('evidence_pairs').selectAll().execute();
  return { registry, clock, ctx, work, ask, orders, pairs };
}
