// A small registry with one of everything that pages, feeds and redirects distinguish, behind a running service.

import type { ReleaseInput } from '../../src/contract/release-input.ts';
import { writeOverview } from '../../src/insight/overviews/write.ts';
import type { TestEngine } from '../support/engines.ts';
import { createOrg, createProduct, createSource, postReleases, releaseRow } from '../support/factories.ts';
import { type Service, startService } from '../support/service.ts';

export interface WebWorld extends Service {
  ids: Record<'org' | 'product' | 'js' | 'covered' | 'lone' | 'release' | 'collection', string>;
}

const DAY = 86_400_000;

// The rows are newest first.
function rows(count: number, prefix: string, more: Partial<ReleaseInput> = {}): ReleaseInput[] {
  return Array.from({ length: count }, (_, index) =>
    releaseRow(`${prefix}.${index}.0`, {
      title: `${prefix} step ${index}`,
      url: `https://releases.example/${prefix}/${index}`,
      publishedAt: new Date(Date.UTC(2026, 0, 5) + index * DAY).toISOString(),
      ...more,
    }),
  );
}

export async function openWebWorld(engine: TestEngine): Promise<WebWorld> {
  const app = await engine.openTestApp({
    env: {
      REGISTRY_BASE_URL: 'https://registry.example',
      REGISTRY_SITE_NAME: 'Test Registry',
      REGISTRY_CONTACT: 'ops@registry.example',
      REGISTRY_RATE_PUBLIC: '0',
    },
  });
  const { ctx } = app;
  const acme = await createOrg(ctx, {
    name: 'Acme',
    slug: 'acme',
    domain: 'acme.example',
    description: 'Makes widgets.',
    category: 'ai',
    avatarUrl: 'https://acme.example/a.png',
    tags: ['Agents'],
  });
  const product = await createProduct(ctx, acme.id, { name: 'Widgets', slug: 'widgets' });
  const js = await createSource(ctx, { name: 'widgets-js', slug: 'widgets-js', orgId: acme.id, productId: product.id });
  const covered = await createSource(ctx, { name: 'Widgets news', slug: 'widgets', orgId: acme.id });
  const lone = await createSource(ctx, { name: 'Lone', slug: 'lone' });
  const other = await createOrg(ctx, { name: 'Other', slug: 'other' });
  for (const orgId of [acme.id, other.id]) await createSource(ctx, { slug: 'shared', orgId });
  await createSource(ctx, { slug: 'single', orgId: other.id });
  await postReleases(ctx, js.id, rows(60, '1', { content: '**Bold** & <b>raw</b> [docs](./docs) `code`\n\n- one' }));
  await postReleases(ctx, js.id, [
    releaseRow('2.0.0-rc.1', { title: 'Two, nearly', publishedAt: '2026-02-01T00:00:00.000Z', prerelease: true }),
    releaseRow('2.0.0', { title: 'Two', content: '## Breaking\n- gone', publishedAt: '2026-03-09T09:00:00.000Z' }),
  ]);
  await postReleases(ctx, covered.id, rows(2, '7'));
  await postReleases(ctx, lone.id, [{ version: '0.1.0', title: 'First\u0008 <light>', content: '' }]);
  await writeOverview(ctx, {
    path: { org: 'acme' },
    overview: {
      content: 'Acme ships widgets.',
      releaseCount: 62,
      citations: [
        { sourceUrl: 'https://releases.example/1/1', title: 'Step', startIndex: 0, endIndex: 4, citedText: 'Acme' },
      ],
    },
  });
  const service = await startService(app);
  const made = await service.root.post('/v1/collections', {
    name: 'Good things',
    slug: 'good',
    description: 'Chosen.',
  });
  await service.root.post('/v1/collections/good/members', { orgSlug: 'acme' });
  await service.root.patch('/v1/categories/ai', { aliases: ['ml'] });
  const latest = await service.anonymous.get('/v1/orgs/acme/releases?limit=1');
  return {
    ...service,
    ids: {
      org: acme.id,
      product: product.id,
      js: js.id,
      covered: covered.id,
      lone: lone.id,
      release: latest.body.releases[0].id,
      collection: made.body.id,
    },
  };
}
