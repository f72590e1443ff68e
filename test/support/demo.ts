// A small demo registry as of one moment, loaded once per run and engine and copied for every app. It has every type of
// record.
import type { App } from '../../src/app.ts';
import { loadDemo } from '../../src/demo/load.ts';
import { type DemoRegistry, type DemoSource, readDemoRegistry } from '../../src/demo/registry.ts';
import type { Content, TestAppOptions, TestEngine } from './engines.ts';

// The clock of its apps stands still there.
export const DEMO_NOW = new Date('2026-05-20T09:00:00.000Z');
export const DEMO_RELEASES = 80;

const clock = () => DEMO_NOW;

const DEMO: Content = {
  name: 'demo',
  fill: (ctx) => loadDemo({ ...ctx, clock }, { registry: smallDemo(DEMO_RELEASES) }),
};

// Of every source of the demo its newest releases, so many together.
export function smallDemo(releases: number): DemoRegistry {
  const registry = readDemoRegistry({ now: DEMO_NOW });
  keepNewest(registry.sources, releases);
  return registry;
}

function keepNewest(sources: DemoSource[], wanted: number): void {
  const total = sources.reduce((sum, source) => sum + source.releases.length, 0);
  let passed = 0;
  for (const source of sources) {
    // Shares are rounded so that they add up to the wanted number.
    const before = Math.round((passed * wanted) / total);
    passed += source.releases.length;
    const share = Math.round((passed * wanted) / total) - before;
    source.releases = share === 0 ? [] : source.releases.slice(-share);
  }
}

export function openDemoDatabase(engine: TestEngine): Promise<Record<string, string>> {
  return engine.openTestDatabase({ content: DEMO });
}

export async function openDemoApp(engine: TestEngine, options: TestAppOptions = {}): Promise<App> {
  return engine.openTestApp({ clock, ...options, database: await openDemoDatabase(engine) });
}
