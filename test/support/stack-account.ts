// An account with everything that concerns stacks: one that has packages of every group, its feed, a webhook and a digest.
import { offToken } from '../../src/accounts/digest/settings.ts';
import { judgeStale } from '../../src/accounts/stacks/judge-stale.ts';
import type { Context } from '../../src/context.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { listPublished } from '../insight/published.ts';
import { as } from './callers.ts';
import type { Client } from './client.ts';
import { createOrg, createSource, postReleases, releaseRow } from './factories.ts';

const LONG_NAME = '@quay/a-very-long-scoped-name-of-a-package-for-forms-and-tables';

const NOTES: Record<string, readonly string[]> = {
  [LONG_NAME]: ['First.', '### Breaking changes\n- `createForm` was removed, use `openForm` instead.'],
  brackenform: ['First.', '### Breaking changes\n- `validate()` needs a locale.'],
  cinderbox: ['First.', '### Security\n- Archives could write outside of their folder (CVE-2099-52210).'],
  alderpath: ['First.', '### Fixed\n- A typo in the help text.'],
};

const ecosystemOf = (name: string) => (name.startsWith('@') ? 'npm' : 'pypi');

// `client` is signed in. Returns the paths of its pages.
export async function fillStackAccount(ctx: Context, client: Client): Promise<string[]> {
  const admin = as(ctx, 'admin');
  const { id: orgId } = await createOrg(admin, { name: 'Sedge' });
  for (const [name, notes] of Object.entries(NOTES)) {
    const { id: sourceId } = await createSource(admin, { orgId, name });
    const rows = notes.map((content, index) =>
      releaseRow(`${index + 1}.0.0`, { content, url: `https://sedge.example/${encodeURIComponent(name)}/${index}` }),
    );
    await postReleases(admin, sourceId, rows, { silent: true });
    await putPackage(admin, { ecosystem: ecosystemOf(name), name, sourceId });
  }
  const installed = [...Object.keys(NOTES), 'nobody-knows'].map((name) => ({
    ecosystem: ecosystemOf(name),
    package: name,
    version: '1.0.0',
  }));
  const answers = [
    await client.put('/v1/me/stacks/web-shop', { packages: installed, source: 'uv.lock' }),
    await client.put('/v1/me/stacks/jobs', { packages: installed.slice(2, 4), source: 'poetry.lock' }),
    await client.post('/v1/me/stacks/web-shop/feed', {}),
    await client.post('/v1/me/webhooks', {
      url: 'https://93.184.216.34/in',
      scope: 'stack',
      stackName: 'web-shop',
      minBreaking: 'major',
      security: true,
    }),
  ];
  for (const { status, text } of answers) if (status >= 300) throw new Error(`${status} ${text}`);
  await client.get('/v1/me/stacks/web-shop/report');
  await listPublished(ctx, 'alderpath', ['1.0.0', '2.0.0', '2.1.0'], { ecosystem: 'pypi', listedAt: laterThan(ctx) });
  await judgeStale(ctx, { signal: new AbortController().signal });
  const { id } = (await client.get('/v1/me')).body.user;
  return [
    '/account/stacks',
    '/account/stacks/web-shop?done=seen',
    '/account/stacks/jobs',
    '/account/webhooks?stack=web-shop',
    `/account/webhooks/${answers[3]?.body.id}`,
    '/account/digest?done=saved',
    `/digest/off?t=${offToken(ctx, id)}`,
  ];
}

function laterThan(ctx: Context): string {
  return new Date(ctx.clock().getTime() + 1000).toISOString();
}
