// The operator area over HTTP: who may enter, what the pages show, and that a form has the same effect as the API.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { load } from 'cheerio';
import { type Context, now, transact } from '../../src/context.ts';
import { giveUp } from '../service/webhook-world.ts';
import { openDemoApp } from '../support/demo.ts';
import { forEachEngine, ROOT_KEY } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';
import { Operator } from './operator-session.ts';

const NEEDS_ADMIN = ['/fetch-log', '/stuck', '/waiting', '/add', '/notice', '/tokens', '/webhooks', '/audit'];
const PAGES = ['', '/sources', '/orgs', '/collections', ...NEEDS_ADMIN];

forEachEngine('the operator area', (engine) => {
  let ctx: Context;
  let service: Service;
  let operator: Operator;
  let org: { slug: string; name: string; sources: { id: string; slug: string }[] };

  before(async () => {
    const app = await openDemoApp(engine);
    ctx = app.ctx;
    service = await startService(app);
    operator = new Operator(service);
    const { items } = (await service.root.get('/v1/orgs?featured=true&limit=1')).body;
    org = (await service.root.get(`/v1/orgs/${items[0].slug}`)).body;
  });
  after(() => service.close());

  it('asks for a token, refuses a wrong one on a page, and opens with a right one', async () => {
    const closed = await operator.get('/admin');
    assert.equal(closed.status, 401);
    assert.match(closed.text, /data-form="operator-session"/);
    const wrong = await operator.signIn('relk_wrong');
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, /does not open the operator area/);
    const right = await operator.signIn(ROOT_KEY);
    assert.deepEqual([right.status, right.location], [303, '/admin']);
  });

  it('every page answers, is never stored nor indexed, and the session opens nothing of the API by itself', async () => {
    for (const path of PAGES) {
      const { status, headers, text } = await operator.get(`/admin${path}`);
      assert.equal(status, 200, path);
      assert.match(headers.get('cache-control') ?? '', /no-store/, path);
      assert.match(text, /<meta name="robots" content="noindex, nofollow">/, path);
      assert.match(text, /aria-current="page"/, path);
    }
    assert.equal((await operator.get('/v1/admin/audit')).status, 401);
  });

  it('a session of a write token sees no page that needs admin', async () => {
    const { token } = (await service.root.post('/v1/tokens', { name: 'writer', scopes: ['write'] })).body;
    const writer = new Operator(service);
    await writer.signIn(token);
    for (const path of PAGES) {
      const { status, text } = await writer.get(`/admin${path}`);
      const admin = NEEDS_ADMIN.includes(path);
      assert.equal(status, admin ? 403 : 200, path);
      if (admin) assert.match(text, /needs the scope admin/);
    }
  });

  it('a source is paused, resumed, hidden and shown', async () => {
    const [source] = org.sources;
    const state = async () => (await service.root.get(`/v1/sources/${source?.id}`)).body;
    await service.root.patch(`/v1/sources/${source?.id}`, { fetchPriority: 'normal' });
    const page = `/admin/sources?q=${source?.slug}`;
    for (const [verb, field, value] of [
      ['pause', 'fetchPriority', 'paused'],
      ['resume', 'fetchPriority', 'normal'],
      ['hide', 'isHidden', true],
      ['show', 'isHidden', false],
    ] as const) {
      const answer = await operator.submit(page, `/admin/sources/${source?.id}/${verb}`);
      assert.equal(answer.status, 303, verb);
      assert.match(answer.location ?? '', /^\/admin\/sources\?done=/);
      assert.equal((await state())[field], value, verb);
    }
  });

  it('what a held source brought is accepted, and the wait of a host is ended', async () => {
    const [source] = org.sources;
    const id = source?.id ?? '';
    const until = new Date(ctx.clock().getTime() + 3_600_000).toISOString();
    await transact(ctx, async (ctx) => {
      const hold = { reason: '90 new releases within a day', found: 90, allowed: 50, held_at: now(ctx) };
      await ctx.tx
        .insertInto('source_holds')
        .values({ source_id: id, fetch_priority: 'low', ...hold })
        .execute();
      const host = { host: 'api.acme.dev:8080', claims: 0, next_request_at: until, wait_reason: 'retry_after' };
      await ctx.tx.insertInto('hosts').values(host).execute();
    });
    const { text } = await operator.get('/admin/waiting');
    assert.match(text, /90 new releases within a day/);
    assert.match(text, /api\.acme\.dev:8080/);

    const accepted = await operator.submit('/admin/waiting', `/admin/sources/${id}/accept`);
    const ended = await operator.submit('/admin/waiting', '/admin/hosts/api.acme.dev%3A8080/end-wait');

    assert.deepEqual(
      [accepted.location, ended.location],
      ['/admin/waiting?done=accepted', '/admin/waiting?done=waitEnded'],
    );
    assert.equal((await service.root.get(`/v1/sources/${id}`)).body.fetchPriority, 'low');
    const after = (await operator.get('/admin/waiting')).text;
    assert.match(after, /None is held/);
    assert.match(after, /None is waiting/);
  });

  it('a private package registry is named, shown without its token, and removed after it was typed', async () => {
    const token = 'npm_0123456789abcdefWXYZ';
    const save = (fields: Record<string, string>) =>
      operator.submit('/admin/packages', '/admin/package-registries/save', fields);
    const wrong = await save({ scope: 'acme', url: 'https://npm.acme.example', token });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /Must be a scope such as @acme/);
    assert.ok(!wrong.text.includes(token), 'what was typed as a token is not shown again');
    const saved = await save({ scope: '@acme', url: 'https://npm.acme.example', token });
    assert.equal(saved.location, '/admin/packages?done=registrySaved');
    const read = await service.root.post('/v1/admin/packages/read', { ecosystem: 'npm', name: 'left-behind' });
    assert.equal(read.body.outcome, 'unreachable');

    const { text } = await operator.get('/admin/packages');
    assert.match(text, /token ends in …WXYZ/);
    assert.match(text, /left-behind.*Cannot be reached.*Nothing was stored/s);
    assert.ok(!text.includes(token));
    const again = await operator.submit('/admin/packages?q=left-behind', '/admin/packages/read');
    assert.match(again.location ?? '', /q=left-behind&done=packageRead$/);
    const remove = (confirm: string) =>
      operator.submit('/admin/packages', '/admin/package-registries/remove', { confirm });
    assert.equal((await remove('acme')).status, 422);
    assert.equal((await remove('@acme')).location, '/admin/packages?done=deleted');
    assert.ok(!(await operator.get('/admin/packages')).text.includes('npm.acme.example'));
  });

  it('a form of another session is refused and changes nothing', async () => {
    const { text } = await operator.get('/admin/notice');
    const csrf = load(text)('form[action="/admin/notice/save"] input[name=csrf]').attr('value') ?? '';
    const { token } = (await service.root.post('/v1/tokens', { name: 'other', scopes: ['admin'] })).body;
    const other = new Operator(service);
    await other.signIn(token);
    const answer = await other.submit('/admin/notice', '/admin/notice/save', { csrf, message: 'Not mine' });
    assert.equal(answer.status, 403);
    assert.notEqual((await service.root.get('/v1/site-notice')).body.notice?.message, 'Not mine');
  });

  it('an organization is edited, refused with its values, and deleted only by its name', async () => {
    const page = `/admin/orgs/${org.slug}`;
    const saved = await operator.submit(page, `${page}/edit`, { description: 'Edited here', tags: 'one, two' });
    assert.deepEqual([saved.status, saved.location], [303, `${page}?done=saved`]);
    const changed = (await service.root.get(`/v1/orgs/${org.slug}`)).body;
    assert.equal(changed.description, 'Edited here');
    const refused = await operator.submit(page, `${page}/edit`, { category: 'no such category', description: 'Kept' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /id="errors"/);
    assert.match(refused.text, />Kept<\/textarea>/);
    const kept = await operator.submit(page, `${page}/delete`, { confirm: 'something else' });
    assert.equal(kept.status, 422);
    assert.equal((await service.anonymous.get(`/v1/orgs/${org.slug}`)).status, 200);
  });

  it('a collection is made, filled in order and deleted', async () => {
    const made = await operator.submit('/admin/collections', '/admin/collections/create', {
      name: 'Picked',
      slug: 'picked',
    });
    assert.equal(made.location, '/admin/collections?done=created');
    const { items } = (await service.root.get('/v1/orgs?limit=2')).body;
    const wanted = items.map(({ slug }: { slug: string }) => slug);
    await operator.submit('/admin/collections', '/admin/collections/picked/edit', { members: wanted.join('\n') });
    const { members } = (await service.root.get('/v1/collections/picked')).body;
    assert.deepEqual(
      members.map(({ slug }: { slug: string }) => slug),
      wanted,
    );
    const unknown = await operator.submit('/admin/collections', '/admin/collections/picked/edit', {
      members: 'nobody-has-this',
    });
    assert.equal(unknown.status, 422);
    await operator.submit('/admin/collections', '/admin/collections/picked/delete', { confirm: 'picked' });
    assert.equal((await service.root.get('/v1/collections/picked')).status, 404);
  });

  it('a notice is previewed without being stored, then stored', async () => {
    const fields = { message: 'Back at noon', active: 'true', color: '#112233', placement: 'banner' };
    const preview = await operator.submit('/admin/notice', '/admin/notice/save', { ...fields, preview: 'true' });
    assert.equal(preview.status, 200);
    assert.match(preview.text, /Back at noon/);
    assert.notEqual((await service.root.get('/v1/site-notice')).body.notice?.message, 'Back at noon');
    await operator.submit('/admin/notice', '/admin/notice/save', fields);
    assert.equal((await service.root.get('/v1/site-notice')).body.notice.message, 'Back at noon');
  });

  it('a token is shown once and revoked', async () => {
    const made = await operator.submit('/admin/tokens', '/admin/tokens/create', { name: 'robot', scope: 'write' });
    assert.equal(made.status, 200);
    const token = /relk_[\w-]+/.exec(made.text)?.[0] ?? '';
    assert.equal((await service.as(token).get('/v1/tokens/me')).body.name, 'robot');
    const list = await operator.get('/admin/tokens');
    assert.ok(!list.text.includes(token));
    const { tokens } = (await service.root.get('/v1/tokens')).body;
    const { id } = tokens.find(({ name }: { name: string }) => name === 'robot');
    await operator.submit('/admin/tokens', `/admin/tokens/${id}/revoke`);
    assert.equal((await service.as(token).get('/v1/tokens/me')).status, 401);
  });

  it('dead letters name their receiver and are dismissed from the page', async () => {
    const hook = (await service.root.post('/v1/webhooks', { url: 'https://hooks.example/in', orgSlug: org.slug })).body;
    const { deliveryId } = (await service.root.post(`/v1/webhooks/${hook.id}/test`)).body;
    await giveUp(ctx, deliveryId);
    const row = load((await operator.get('/admin/webhooks')).text)(`tr:contains("${deliveryId}")`).text();
    assert.match(row, /hooks\.example.*503/s);
    const done = await operator.submit('/admin/webhooks', `/admin/webhooks/dlq/${deliveryId}/dismiss`);
    assert.equal(done.location, '/admin/webhooks?done=dismissed');
    const { items } = (await service.root.get('/v1/webhooks/dlq')).body;
    assert.ok(!items.some((item: { delivery_id: string }) => item.delivery_id === deliveryId));
  });

  it('an organization that people asked for is marked as answered', async () => {
    await transact(ctx, ({ tx }) =>
      tx
        .updateTable('orgs')
        .set({ tracking_requested_at: now(ctx) })
        .where('slug', '=', org.slug)
        .execute(),
    );
    const done = await operator.submit('/admin/orgs', `/admin/orgs/${org.slug}/answered`);
    assert.equal(done.location, `/admin/orgs/${org.slug}?done=saved`);
    const { items } = (await service.root.get('/v1/orgs?trackingRequested=true')).body;
    assert.ok(!items.some(({ slug }: { slug: string }) => slug === org.slug));
  });

  it('copies of public pages have a menu, and what it does is in the audit log', async () => {
    const { releases } = (await service.anonymous.get('/v1/releases/latest?count=1')).body;
    const path = `/admin/view/release/${releases[0].id}`;
    assert.match((await operator.get(`/admin/view/${org.slug}`)).text, /operator-menu/);
    const editor = `/admin/releases/${releases[0].id}`;
    assert.ok(load((await operator.get(path)).text)(`.operator-menu a[href="${editor}"]`).length > 0);
    // Nothing happens without a reason.
    const hasty = await operator.submit(editor, `${editor}/suppress`, { reason: ' ' });
    assert.equal(hasty.status, 422);
    assert.match(hasty.text, /say why/i);
    assert.equal((await service.anonymous.get(`/v1/releases/${releases[0].id}`)).status, 200);
    const answer = await operator.submit(editor, `${editor}/suppress`, { reason: 'A test entry' });
    assert.equal(answer.location, `${editor}?done=suppressed`);
    assert.equal((await service.anonymous.get(`/v1/releases/${releases[0].id}`)).status, 404);
    assert.match((await operator.get(editor)).text, /suppressed: A test entry/);
    const audit = await operator.get('/admin/audit');
    assert.ok(audit.text.includes(releases[0].id));
    assert.doesNotMatch((await service.anonymous.get(`/${org.slug}`)).body ?? '', /operator-menu/);
    const shown = await operator.submit(editor, `${editor}/unsuppress`);
    assert.equal(shown.location, `${editor}?done=shown`);
    assert.equal((await service.anonymous.get(`/v1/releases/${releases[0].id}`)).status, 200);
  });

  it('every source of the list has a link, and one of each kind leads to its page with the menu', async () => {
    const { items } = (await service.root.get('/v1/sources?limit=500&include_hidden=true')).body;
    const links = load((await operator.get('/admin/sources')).text)('tbody th a');
    const paths: string[] = links.map((_, link) => link.attribs.href).get();
    assert.ok(paths.length > 20 && paths.length <= items.length, `${paths.length} of ${items.length}`);
    // Opens one source of each kind.
    const kinds = new Map<string, string>();
    for (const path of paths) {
      const { type, orgId, productId, isHidden } = items.find(({ id }: { id: string }) => path.endsWith(`/${id}`));
      kinds.set([type, orgId !== null, productId !== null, isHidden].join(), path);
    }
    for (const path of kinds.values()) {
      const moved = await operator.get(path);
      const page = moved.location ? await operator.get(moved.location) : moved;
      assert.equal(page.status, 200, path);
      assert.match(page.text, /operator-menu/, path);
    }
  });

  it('public pages lead an operator to the operator area, and nobody else', async () => {
    const { releases } = (await service.anonymous.get('/v1/releases/latest?count=1')).body;
    const path = `/release/${releases[0].id}`;
    const headerLinks = ({ text }: { text: string }) =>
      load(text)('header.head a')
        .map((_, link) => link.attribs.href ?? '')
        .get();
    const seen = await operator.get(path);
    assert.ok(headerLinks(seen).includes(`/admin/view${path}`));
    assert.match(seen.headers.get('cache-control') ?? '', /private/);
    assert.ok(headerLinks(await operator.get('/')).includes('/admin'));
    const overview = await operator.get('/admin');
    assert.ok(headerLinks(overview).includes('/admin'));
    assert.match(overview.text, /Index of vectors[\s\S]{0,60}in a file that the processes/);
    assert.ok(!headerLinks(await service.anonymous.get(path)).some((link) => link.startsWith('/admin')));
    await operator.submit('/admin', '/admin/session/end');
  });
});
