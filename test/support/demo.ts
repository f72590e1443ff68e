// Small demo registries, each loaded once per process and engine and copied for every app.
import type { App } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { loadDemo } from '../../src/demo/load.ts';
import type { TestAppOptions, TestEngine } from './engines.ts';

const RELEASES = 250;

const fill = (ctx: Context) => loadDemo(ctx, { releases: RELEASES });

export async function openDemoApp(engine: TestEngine, options: TestAppOptions = {}): Promise<App> {
  return engine.openTestApp({ ...options, database: await engine.openTestDatabase({ fill }) });
}

// The demo as of one moment, at which the clock of its apps stands still. It has every type of record.
export const DEMO_NOW = new Date('2026-05-20T09:00:00.000Z');
const DATED_RELEASES = 80;

const fillDated = (ctx: Context) => loadDemo({ ...ctx, clock: () => DEMO_NOW }, { releases: DATED_RELEASES });

export function openDatedDemo(engine: TestEngine): Promise<Record<string, string>> {
  return engine.openTestDatabase({ fill: fillDated });
}
