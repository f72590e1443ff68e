import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runCommand } from '../../src/main.ts';
import { signUp } from '../support/accounts.ts';
import { forEachEngine, SECRET } from '../support/engines.ts';
import { startService } from '../support/service.ts';

forEachEngine('registry admin user', (engine) => {
  it('prints a link by which somebody chooses a new password, and handles accounts', async () => {
    const database = await engine.openTestDatabase();
    const app = await engine.openTestApp({ database });
    const service = await startService(app);
    const { email, id, cookie } = await signUp(service);
    const env = { ...database, REGISTRY_SECRET: SECRET, REGISTRY_LOG_LEVEL: 'silent' };
    const run = async (...args: string[]) => {
      const out: string[] = [];
      const err: string[] = [];
      const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
      return { code: await runCommand({ args: ['admin', 'user', ...args], env }, terminal), out, err };
    };

    const link = await run('reset-link', email.toUpperCase());
    const token = new URL(link.out[0] ?? 'none:').searchParams.get('token');
    const reset = await service.anonymous.post('/api/auth/reset-password', {
      token,
      newPassword: 'a wholly new sentence',
    });
    const signIn = await service.anonymous.post('/api/auth/sign-in/email', {
      email,
      password: 'a wholly new sentence',
    });
    assert.deepEqual([link.code, link.out.length, reset.status, signIn.status], [0, 1, 200, 200]);
    assert.equal((await cookie.get('/v1/me')).status, 401);

    assert.match((await run('list')).out.join('\n'), new RegExp(`^${id}\t${email}\t`));
    const session = service.as(signIn.body.token);
    assert.equal((await run('disable', email)).code, 0);
    assert.equal((await session.get('/v1/me')).status, 401);
    assert.equal((await run('enable', email, '--json')).out[0], JSON.stringify({ id, disabled: false }));
    assert.equal((await session.get('/v1/me')).status, 200);

    const cases: [args: string[], code: number, said: RegExp][] = [
      [['reset-link', 'nobody@mail.example'], 1, /no account/],
      [['reset-link'], 2, /use `registry admin user/],
      [['explode', email], 2, /use `registry admin user/],
      [['delete', email], 2, /--yes/],
    ];
    for (const [args, code, said] of cases) {
      const ended = await run(...args);
      assert.equal(ended.code, code, args.join(' '));
      assert.match(ended.err.join('\n'), said);
    }
    assert.equal((await run('delete', email, '--yes')).code, 0);
    assert.equal((await session.get('/v1/me')).status, 401);

    const rows = await app.ctx.store.read
      .selectFrom('audit_log')
      .selectAll()
      .where('target_type', '=', 'user')
      .orderBy('created_at')
      .execute();
    assert.deepEqual(
      rows.map((row) => [row.actor, row.action, row.target_id]),
      ['user.reset_link', 'user.disable', 'user.enable', 'user.delete'].map((action) => ['cli', action, id]),
    );
    assert.ok(!JSON.stringify(rows).includes(token ?? 'none'));
  });
});
