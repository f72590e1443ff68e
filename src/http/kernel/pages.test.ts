// Pages, forms and other replies than JSON, declared as any route.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { type Fixture, startFixture } from '../../../test/support/kernel-fixture.ts';
import { writeNote } from '../../../test/support/kernel-routes.ts';
import { ApiError } from '../../contract/errors.ts';
import { csrfToken } from './forms.ts';
import { html, Reply, redirect, stream } from './reply.ts';
import { type RouteGroup, route } from './route.ts';

const common = { tag: 'Pages', access: 'visitor', answers: null } as const;

interface Board {
  name: string;
  runs: number;
}

function pages(): RouteGroup {
  let runs = 0;
  const entry = route({
    ...common,
    method: 'POST',
    path: '/boards/rename',
    summary: 'Rename a board',
    accepts: 'form',
    body: z.object({ name: z.string().max(5) }).loose(),
    run: async (_ctx, { body }) => redirect(`/boards/${body.name}`).withCookies(['a=1', 'b=2']),
  });
  return {
    prefix: '',
    routes: [
      route({
        ...common,
        method: 'GET',
        path: '/boards/{name}',
        summary: 'A board',
        cache: [60, 300],
        suffixes: ['json', 'md', 'atom'],
        html: ({ name, runs: count }: Board) => `<h1>${name}</h1><p>${count}</p>`,
        markdown: ({ name }: Board) => `# ${name}\n`,
        atom: ({ name }: Board) => `<feed><title>${name}</title></feed>`,
        run: async (_ctx, { params }): Promise<Board> => {
          if (params.name === 'none') throw new ApiError('not_found', 'no such board');
          runs += 1;
          return { name: params.name ?? '', runs };
        },
      }),
      route({
        ...common,
        method: 'GET',
        path: '/form',
        summary: 'The form',
        cache: 'never',
        run: async (ctx) => html(csrfToken(ctx, '/boards/rename')),
      }),
      entry,
      route({
        ...common,
        method: 'GET',
        path: '/ticks',
        summary: 'A stream',
        run: async () => stream('text/event-stream', (response) => void response.end('data: 1\n\n')),
      }),
      route({
        ...common,
        method: 'POST',
        path: '/via',
        summary: 'Uses another route',
        run: async (_ctx, _input, request) => {
          const { status, headers } = await request.call(entry, { body: { name: 'inner' } });
          return { status, location: headers.Location };
        },
      }),
    ],
    failure: (error) =>
      new Reply(error.status, `<h1>${error.code}</h1>`, { 'Content-Type': 'text/html; charset=utf-8' }),
  };
}

describe('a page', () => {
  let service: Fixture;
  before(async () => {
    service = await startFixture({ input: { groups: [pages()] } });
  });
  after(() => service.close());

  it('is HTML with the headers of pages, a weak tag and a public lifetime', async () => {
    const answer = await service.call('/boards/tools');

    assert.match(answer.text, /^<h1>tools<\/h1>/);
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(answer.headers['content-security-policy'] ?? '', /default-src 'none'/);
    assert.match(answer.headers.etag ?? '', /^W\/"/);
    assert.equal(answer.headers['cache-control'], 'public, max-age=60, stale-while-revalidate=300');
    assert.equal(answer.headers.vary, 'Accept, Cookie, Accept-Encoding');
    const unchanged = await service.call('/boards/tools', { headers: { 'If-None-Match': answer.headers.etag ?? '' } });
    assert.equal(unchanged.status, 304);
  });

  it('is cached as bytes until the data changes, and never for a session', async () => {
    const first = await service.call('/boards/cached');
    assert.equal((await service.call('/boards/cached')).text, first.text);
    const cookie = { Cookie: 'registry.session_token=x' };
    const own = await service.call('/boards/cached', { headers: cookie });
    assert.notEqual(own.text, first.text);
    assert.equal(own.headers['cache-control'], 'private, no-store');
    assert.equal((await service.call('/boards/cached')).text, first.text);
    await writeNote(service.app.ctx, 'page', 'changed');
    assert.notEqual((await service.call('/boards/cached')).text, first.text);
  });

  it('counts in no tier of the API, whether it is cached or not', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    for (const path of ['/boards/uncounted', '/boards/uncounted', '/boards/uncounted.json', '/boards/uncounted.json']) {
      assert.equal((await service.call(path, { headers })).headers.ratelimit, undefined, path);
    }
    for (let call = 0; call < 2; call += 1) assert.ok((await service.call('/v1/large', { headers })).headers.ratelimit);
  });

  const forms: [path: string, accept: string, type: string, text: RegExp][] = [
    ['/boards/tools', '*/*', 'text/html; charset=utf-8', /^<h1>tools/],
    ['/boards/tools', 'text/markdown', 'text/markdown; charset=utf-8', /^# tools\n$/],
    ['/boards/tools', 'application/json', 'text/html; charset=utf-8', /^<h1>tools/],
    ['/boards/tools.json', 'text/html', 'application/json; charset=utf-8', /^\{"name":"tools"/],
    ['/boards/tools.md', 'text/html', 'text/markdown; charset=utf-8', /^# tools\n$/],
    ['/boards/tools.atom', '*/*', 'application/atom+xml; charset=utf-8', /^<feed><title>tools</],
    ['/boards/tools.csv', '*/*', 'text/html; charset=utf-8', /^<h1>tools.csv/],
  ];
  for (const round of ['made', 'cached']) {
    for (const [path, accept, type, text] of forms) {
      it(`${path} for ${accept} is ${type}, ${round}`, async () => {
        const answer = await service.call(path, { headers: { Accept: accept } });
        assert.equal(answer.headers['content-type'], type);
        assert.match(answer.text, text);
      });
    }
  }

  it('fails as a page, and by its suffix as the envelope', async () => {
    const page = await service.call('/boards/none');
    assert.deepEqual([page.status, page.text], [404, '<h1>not_found</h1>']);
    assert.match(page.headers['content-security-policy'] ?? '', /default-src 'none'/);
    assert.equal((await service.call('/boards/none.json')).json.error.code, 'not_found');
    const wrong = await service.call('/form', { method: 'PUT' });
    assert.deepEqual([wrong.json.error.code, wrong.headers.allow], ['method_not_allowed', 'GET, HEAD, OPTIONS']);
  });

  it('may stay open', async () => {
    const answer = await service.call('/ticks');
    assert.deepEqual([answer.headers['content-type'], answer.text], ['text/event-stream', 'data: 1\n\n']);
  });
});

describe('a form', () => {
  let service: Fixture;
  let origin: string;
  before(async () => {
    service = await startFixture({ input: { groups: [pages()] } });
    origin = service.app.ctx.config.baseUrl;
  });
  after(() => service.close());

  const send = async (fields: Record<string, string>, headers: Record<string, string> = { Origin: origin }) =>
    service.call('/boards/rename', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const drawn = async () => (await service.call('/form')).text;

  it('is answered by a redirect with its cookies', async () => {
    const answer = await send({ csrf: await drawn(), name: 'new' });
    assert.deepEqual([answer.status, answer.headers.location], [303, '/boards/new']);
    assert.equal(answer.headers['set-cookie'], 'a=1,b=2');
    assert.equal(answer.headers['cache-control'], 'private, no-store');
  });

  it('counts only from a trusted page, drawn here, with fields that fit', async () => {
    const csrf = await drawn();
    const refused: [Record<string, string>, Record<string, string> | undefined, number][] = [
      [{ csrf, name: 'new' }, { Origin: 'https://elsewhere.example' }, 403],
      [{ csrf, name: 'new' }, {}, 403],
      [{ csrf: 'made up', name: 'new' }, undefined, 403],
      [{ name: 'new' }, undefined, 403],
      [{ csrf, name: 'too long' }, undefined, 400],
    ];
    for (const [fields, headers, status] of refused) assert.equal((await send(fields, headers)).status, status);
  });

  it('is none when it is sent as JSON', async () => {
    const body = { csrf: await drawn(), name: 'new' };
    const answer = await service.call('/boards/rename', { method: 'POST', headers: { Origin: origin }, body });
    assert.equal(answer.status, 403);
  });

  it('can be used by another route, which has been checked itself', async () => {
    const trusted = await service.call('/via', { method: 'POST', headers: { Origin: origin }, body: {} });
    assert.deepEqual(trusted.json, { status: 303, location: '/boards/inner' });
  });
});
