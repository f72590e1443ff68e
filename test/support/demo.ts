// Small demo registries, each loaded once per run and engine and copied for every app.
import type { App } from '../../src/app.ts';
import { loadDemo } from '../../src/demo/load.ts';
import type { Content, TestAppOptions, TestEngine } from './engines.ts';

const RELEASES = 250;

const DEMO: Content = { name: 'demo', fill: (ctx) => loadDemo(ctx, { releases: RELEASES }) };

export async function openDemoApp(engine: TestEngine, options: TestAppOptions = {}): Promise<App> {
  return engine.openTestApp({ ...options, database: await engine.openTestDatabase({ content: DEMO }) });
}

// The demo as of one moment, at which the clock of its apps stands still. It has every type of record.
export const DEMO_NOW = new Date('2026-05-20T09:00:00.000Z');
const DATED_RELEASES = 80;

const DATED: Content = {
  name: 'dated_demo',
  fill: (ctx) => loadDemo({ ...ctx, clock: () => DEMO_NOW }, { releases: DATED_RELEASES }),
};

export function openDatedDemo(engine: TestEngine): Promise<Record<string, string>> {
  return engine.openTestDatabase({ content: DATED });
}
