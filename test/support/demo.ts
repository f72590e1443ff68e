// A small demo registry as of one moment, loaded once per run and engine and copied for every app. It has every type of
// record.
import type { App } from '../../src/app.ts';
import { loadDemo } from '../../src/demo/load.ts';
import type { Content, TestAppOptions, TestEngine } from './engines.ts';

// The clock of its apps stands still there.
export const DEMO_NOW = new Date('2026-05-20T09:00:00.000Z');
export const DEMO_RELEASES = 80;

const clock = () => DEMO_NOW;

const DEMO: Content = {
  name: 'demo',
  fill: (ctx) => loadDemo({ ...ctx, clock }, { releases: DEMO_RELEASES }),
};

export function openDemoDatabase(engine: TestEngine): Promise<Record<string, string>> {
  return engine.openTestDatabase({ content: DEMO });
}

export async function openDemoApp(engine: TestEngine, options: TestAppOptions = {}): Promise<App> {
  return engine.openTestApp({ clock, ...options, database: await openDemoDatabase(engine) });
}
