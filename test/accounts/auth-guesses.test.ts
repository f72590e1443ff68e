// Passwords that are guessed over many addresses, and the owner who signs in meanwhile.
import assert from 'node:assert/strict';
import { before, it, mock } from 'node:test';
import { createResetLink } from '../../src/accounts/auth/reset-link.ts';
import type { Context } from '../../src/context.ts';
import { UNDELAYED_GUESSES } from '../../src/domain/sign-in-delay.ts';
import { cookiesOf, PASSWORD, signUp } from '../support/accounts.ts';
import { holdTime } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { browse } from '../support/forms.ts';
import { type Service, startService } from '../support/service.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;

forEachEngine('guesses over changing addresses', (engine) => {
  holdTime(NOON);
  let ctx: Context;
  let service: Service;
  before(async () => {
    const app = await engine.openTestApp({ env: { REGISTRY_TRUSTED_PROXIES: '127.0.0.1' } });
    ctx = app.ctx;
    service = await startService(app);
  });

  let addresses = 0;
  const elsewhere = () => {
    addresses += 1;
    return `198.18.${addresses >> 8}.${addresses & 255}`;
  };
  const attempt = (email: string, password: string, { from = elsewhere(), cookies = '' } = {}) =>
    service.anonymous.post(
      '/api/auth/sign-in/email',
      { email, password },
      { 'X-Forwarded-For': from, ...(cookies && { Cookie: cookies, Origin: service.origin }) },
    );
  async function guess(email: string, times: number): Promise<number[]> {
    const answers = await Promise.all(Array.from({ length: times }, () => attempt(email, 'a wrong password')));
    return answers.map(({ status }) => status);
  }
  const deviceOf = (cookies: string) => cookies.split('; ').find((cookie) => cookie.includes('.device=')) ?? '';

  it('are delayed after fifty a day, more with every wrong one, and never for good', async () => {
    const { email } = await signUp(service);
    assert.deepEqual(new Set(await guess(email, UNDELAYED_GUESSES)), new Set([401]));

    const first = await attempt(email, 'a wrong password');
    const together = await guess(email, 10);
    const right = await attempt(email, PASSWORD);
    assert.equal(first.status, 401);
    assert.deepEqual(new Set(together), new Set([429]));
    assert.deepEqual([right.status, right.headers.get('retry-after')], [429, '1']);
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const refused = await attempt(email, 'a wrong password');
      const seconds = Number(refused.headers.get('retry-after'));
      waits.push(seconds);
      mock.timers.tick(seconds * 1000);
      assert.equal((await attempt(email, 'a wrong password')).status, 401);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    mock.timers.tick(60_000);
    assert.equal((await attempt(email, PASSWORD)).status, 200, 'the owner waits a minute at most');
    mock.timers.tick(DAY_MS);
    assert.deepEqual(await guess(email, 2), [401, 401]);
  });

  it('do not slow down a browser that has signed in before', async () => {
    const { email, cookieHeader } = await signUp(service);
    const cookies = deviceOf(cookieHeader);
    assert.match(cookies, /^registry\.device=\w{43}$/);
    await guess(email, UNDELAYED_GUESSES + 1);
    assert.equal((await attempt(email, PASSWORD)).status, 429);

    const owner = await attempt(email, PASSWORD, { cookies });
    assert.equal(owner.status, 200);
    assert.equal(deviceOf(cookiesOf(owner.headers)), cookies, 'it stays known');
    // From the owner's own address, too.
    const from = elsewhere();
    for (let i = 0; i < 6; i += 1) await attempt(email, 'a wrong password', { from });
    assert.equal((await attempt(email, PASSWORD, { from, cookies })).status, 200);
  });

  it('are limited from a known browser as from any address, and it is known to its own account alone', async () => {
    const [mine, other] = [await signUp(service), await signUp(service)];
    const cookies = deviceOf(mine.cookieHeader);
    const codes: number[] = [];
    for (let i = 0; i < 6; i += 1) codes.push((await attempt(mine.email, 'a wrong password', { cookies })).status);
    assert.deepEqual(codes, [401, 401, 401, 401, 401, 429]);

    await guess(other.email, UNDELAYED_GUESSES + 1);
    assert.equal((await attempt(other.email, PASSWORD, { cookies })).status, 429);
  });

  it('of an address without an account are answered alike', async () => {
    const codes = await guess('nobody@mail.example', UNDELAYED_GUESSES);
    const over = [await attempt('nobody@mail.example', 'x'), await attempt('Nobody@mail.example', 'x')];
    assert.deepEqual(new Set(codes), new Set([401]));
    assert.deepEqual(
      over.map(({ status, headers }) => [status, headers.get('retry-after')]),
      [
        [401, null],
        [429, '1'],
      ],
    );
  });

  it('a new password by link makes its browser known, and all others unknown', async () => {
    const { id, email, cookieHeader } = await signUp(service);
    const browser = browse(service);
    const page = await browser.get(await createResetLink(ctx, { userId: id }));
    await browser.submit(page, { password: 'a wholly new sentence' });
    await guess(email, UNDELAYED_GUESSES + 1);

    const former = await attempt(email, 'a wholly new sentence', { cookies: deviceOf(cookieHeader) });
    const login = await browser.submit(await browser.get('/login'), { email, password: 'a wholly new sentence' });

    assert.equal(former.status, 429);
    assert.equal(login.status, 303);
  });

  it('are told on the page how long to wait', async () => {
    const { email } = await signUp(service);
    await guess(email, UNDELAYED_GUESSES + 1);
    const browser = browse(service);
    const refused = await browser.submit(await browser.get('/login'), { email, password: PASSWORD });
    assert.equal(refused.status, 429);
    assert.match(refused.text, /Try again in 1 second\./);
  });
});
