// A small demo registry, loaded once per process and engine and copied for every app.
import type { App } from '../../src/app.ts';
import type { Context } from '../../src/context.ts';
import { loadDemo } from '../../src/demo/load.ts';
import type { TestAppOptions, TestEngine } from './engines.ts';

const RELEASES = 250;

const fill = (ctx: Context) => loadDemo(ctx, { releases: RELEASES });

export async function openDemoApp(engine: TestEngine, options: TestAppOptions = {}): Promise<App> {
  return engine.openTestApp({ ...options, database: await engine.openTestDatabase({ fill }) });
}
