// Fields that a body may not have: refused with the field that was meant, ignored and named where nothing is lost.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { signUp } from '../support/accounts.ts';
import { forEachEngine } from '../support/engines.ts';
import { createOrg, createSource } from '../support/factories.ts';
import { startService } from '../support/service.ts';

forEachEngine('unknown fields', (engine) => {
  it('of a release are refused where its version, title or text would be lost', async () => {
    const app = await engine.openTestApp();
    const { root } = await startService(app);
    const { id } = await createSource(app.ctx, { orgId: (await createOrg(app.ctx)).id });
    const path = `/v1/sources/${id}/releases`;
    const refused: [body: object, field: string, meant: string | null][] = [
      [{ version: '1.0.0', body: 'Notes.' }, 'body', 'content'],
      [{ version: '1.0.0', notes: 'Notes.' }, 'notes', 'content'],
      [{ version: '1.0.0', Content: 'Notes.' }, 'Content', 'content'],
      [{ version: '1.0.0', prosa: 'A first line.\nA second one.' }, 'prosa', null],
      [{ tag_name: 'v1.0.0', title: 'One', content: 'Notes.' }, 'tag_name', 'version'],
      [{ version: '1.0.0', content: 'Notes.', name: 'One' }, 'name', 'title'],
      [{ version: '1.0.0', content: '', body: 'Notes.' }, 'body', 'content'],
    ];
    for (const [body, field, meant] of refused) {
      const reason = meant === null ? 'unknown field' : `unknown field; did you mean ${meant}?`;
      const single = await root.post(path, body);
      assert.deepEqual([single.status, single.body.error?.code], [400, 'validation_failed'], JSON.stringify(body));
      assert.deepEqual(single.body.error.details.issues, [{ path: field, reason }]);
      const batch = await root.post(`${path}/batch`, { releases: [{ version: '0.9.0', content: 'Fine.' }, body] });
      assert.deepEqual(batch.body.error?.details.issues, [{ path: `releases.1.${field}`, reason }]);
    }
    assert.deepEqual(await app.ctx.store.read.selectFrom('releases').selectAll().execute(), []);
    assert.deepEqual(await app.ctx.store.read.selectFrom('events').selectAll().execute(), []);

    const whole = { version: '1.0.0', title: 'One', content: 'Notes.', body: 'Other.', 'släng\n': 1, author: null };
    const taken = await root.post(path, whole);
    assert.equal(taken.status, 201, taken.text);
    assert.equal(taken.headers.get('x-ignored-fields'), 'body, sl%C3%A4ng%0A');
    const plain = await root.post(path, { version: '1.1.0', content: 'Notes.' });
    assert.equal(plain.headers.get('x-ignored-fields'), null);

    // What was read may be sent back, changed.
    const read = (await root.get(`/v1/releases/${taken.body.id}`)).body;
    const changed = await root.patch(`/v1/releases/${taken.body.id}`, { ...read, title: 'Another' });
    assert.deepEqual([changed.status, changed.body.title], [200, 'Another'], changed.text);
    const wrong = await root.patch(`/v1/releases/${taken.body.id}`, { tittle: 'Third' });
    assert.deepEqual(wrong.body.error.details.issues, [
      { path: 'tittle', reason: 'unknown field; did you mean title?' },
    ]);
  });

  it('of stacks, digest settings, tokens and webhooks are refused, and so are names that cannot exist', async () => {
    const app = await engine.openTestApp();
    const service = await startService(app);
    const { session } = await signUp(service);
    const one = { ecosystem: 'npm', package: 'left', version: '1.0.0' };
    const stack = (body: object) => session.put('/v1/me/stacks/web', body);
    const refused = [
      [await stack({ packages: [one], files: 1 }), 'files', 'unknown field'],
      [await stack({ packages: [{ ...one, dev: true }] }), 'packages.0.dev', 'unknown field'],
      [await stack({ package: [one] }), 'package', 'unknown field; did you mean packages?'],
      [await session.put('/v1/me/digest', { cadence: 'off', hours: 3 }), 'hours', 'unknown field; did you mean hour?'],
      [
        await service.root.post('/v1/tokens', { name: 'ci', scopes: ['read'], expires: '2030-01-01' }),
        'expires',
        'unknown field',
      ],
      [
        await session.post('/v1/me/webhooks', { url: 'https://hooks.example', scope: 'follows', secret: 'x' }),
        'secret',
        'unknown field',
      ],
    ] as const;
    for (const [answer, path, reason] of refused) {
      assert.deepEqual([answer.status, answer.body.error?.details.issues], [400, [{ path, reason }]], answer.text);
    }
    const names = [
      ['npm', '../x'],
      ['npm', '.hidden'],
      ['npm', '@a/b/c'],
      ['npm', 'a b'],
      ['npm', '@/x'],
      ['pypi', 'a/b'],
      ['pypi', '-x'],
    ];
    for (const [ecosystem, name] of names) {
      const answer = await stack({ packages: [one, { ecosystem, package: name, version: '1.0.0' }] });
      assert.deepEqual(
        [answer.status, answer.body.error?.details.issues[0].path],
        [400, 'packages.1.package'],
        `${ecosystem} ${name}`,
      );
    }
    const { body } = await session.get('/v1/me/digest');
    assert.equal((await session.put('/v1/me/digest', body)).status, 200, 'what was read may be sent back');
  });

  it('and pushes of stacks have a limit, and come one after the other', async () => {
    const app = await engine.openTestApp();
    const service = await startService(app);
    const { session } = await signUp(service);
    const list = (size: number) => ({
      packages: Array.from({ length: size }, (_, index) => ({
        ecosystem: 'npm',
        package: `p${index}`,
        version: '1.0.0',
      })),
    });
    const atOnce = await Promise.all([1, 2, 3].map(() => session.put('/v1/me/stacks/web', list(2000))));
    const stored = atOnce.filter(({ status }) => status < 300);
    const others = atOnce.filter(({ status }) => status >= 300);
    assert.ok(stored.length >= 1);
    for (const { status, body, headers } of others) {
      assert.deepEqual([status, body.error.code, headers.get('retry-after')], [429, 'rate_limited', '1']);
    }
    for (let push = 3; push < 20; push += 1)
      assert.equal((await session.put('/v1/me/stacks/web', list(1))).status, 200);
    const over = await session.put('/v1/me/stacks/web', list(1));
    assert.deepEqual([over.status, over.body.error.code], [429, 'rate_limited']);
    assert.match(over.headers.get('ratelimit-policy') ?? '', /"stacks";q=20;w=60/);
    assert.equal((await (await signUp(service)).session.put('/v1/me/stacks/web', list(1))).status, 201);
  });
});
