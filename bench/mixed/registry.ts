// The registry that is loaded: generated releases, and an org of its own that is written to and whose webhook hears of it.
import { createApp } from '../../src/app.ts';
import { generateRegistry } from '../../src/cli/generate-registry.ts';
import { readConfig } from '../../src/config.ts';
import { createOrg } from '../../src/entities/orgs/create.ts';
import { createSource } from '../../src/entities/sources/create.ts';
import { createSubscription } from '../../src/webhooks/subscriptions/create.ts';
import { MAINTENANCE } from '../../src/worker/maintenance.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { WRITING } from '../../src/worker/writing.ts';
import { prepare } from '../search.ts';
import type { LoadOrder } from './mix.ts';

const RELEASES = 20_000;
const SOURCES = 20;
const ORGS_READ = 15;

type LoadedRegistry = Pick<LoadOrder, 'sources' | 'paths' | 'queries'>;

export async function fillRegistry(env: Record<string, string>, receiverUrl: string): Promise<LoadedRegistry> {
  const { ctx, close } = await createApp(readConfig({ ...env, REGISTRY_LOG_LEVEL: 'warn' }));
  try {
    await ctx.store.migrate();
    await generateRegistry(ctx, { releases: RELEASES });
    const orgs = await ctx.store.read.selectFrom('orgs').select('slug').orderBy('id').limit(ORGS_READ).execute();
    const org = await createOrg(ctx, { name: 'Mixed', slug: 'mixed' });
    const sources: string[] = [];
    for (let index = 0; index < SOURCES; index += 1) {
      const name = `Mixed ${index}`;
      const url = `https://mixed.example/${index}`;
      // It is written to and never fetched.
      const { id } = await createSource(ctx, { name, url, type: 'feed', orgId: org.id, fetchPriority: 'paused' });
      sources.push(id);
    }
    await createSubscription(ctx, { owner: 'operator', input: { orgId: org.id, url: receiverUrl } });
    const slugs = [...orgs.map(({ slug }) => slug), org.slug];
    const paths = ['/', '/catalog', '/v1/releases/latest?count=20', '/v1/stats', '/v1/orgs?limit=50'];
    for (const slug of slugs) paths.push(`/${slug}`, `/v1/orgs/${slug}`, `/v1/orgs/${slug}/releases`);
    // A registry that has just been generated keeps its workers busy for a while.
    await createWorker(ctx, { tasks: [...MAINTENANCE, ...WRITING] }).drain();
    return { sources, paths, queries: await prepare(env) };
  } finally {
    await close();
  }
}
