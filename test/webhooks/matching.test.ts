import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import type { WebhookCreation } from '../../src/contract/webhooks.ts';
import type { EventRow } from '../../src/store/schema/releases.ts';
import { eventsFor, subscriptionsForEach } from '../../src/webhooks/matching.ts';
import { forEachEngine } from '../support/engines.ts';
import { createSource, postReleases, releaseRow } from '../support/factories.ts';
import { makePlaces, newAccount, openWorld, setRow, storedRow, subscribe, type World } from './fixture.ts';

async function subscriptionsFor(ctx: Context, event: EventRow): Promise<string[]> {
  return (await subscriptionsForEach(ctx, [event]))[0] ?? [];
}

forEachEngine('which event is for whom', (engine) => {
  let opened: Promise<World> | null = null;
  async function setUp() {
    opened ??= openWorld(engine);
    const world = await opened;
    world.clock.move(1000);
    const places = await makePlaces(world.ctx);
    const me = await newAccount(world.ctx);
    const follow = (target_type: 'org' | 'product', target_id: string) =>
      transact(world.ctx, ({ tx }) =>
        tx
          .insertInto('follows')
          .values({ user_id: me.userId, target_type, target_id, created_at: world.clock().toISOString() })
          .execute(),
      );
    return { ...world, ...places, me, follow };
  }

  let releases = 0;
  async function announce({ ctx }: World, sourceId: string, more = {}): Promise<EventRow> {
    releases += 1;
    const row = releaseRow(`1.0.${releases}`, { url: `https://m.example/${releases}`, ...more });
    const { insertedIds } = await postReleases(ctx, sourceId, [row]);
    return ctx.store.read
      .selectFrom('events')
      .selectAll()
      .where('release_id', '=', insertedIds[0] ?? '')
      .executeTakeFirstOrThrow();
  }

  // Both directions must give the same result.
  async function matches({ ctx }: World, event: EventRow, id: string): Promise<boolean> {
    const forEvent = (await subscriptionsFor(ctx, event)).includes(id);
    const window = { since: event.ts, until: event.ts, limit: 100 };
    const { events } = await eventsFor(ctx, await storedRow(ctx, id), window);
    assert.equal(
      events.some(({ seq }) => seq === event.seq),
      forEvent,
    );
    return forEvent;
  }

  type Places = Awaited<ReturnType<typeof setUp>>;
  type Rule = [
    name: string,
    wish: (p: Places) => Partial<WebhookCreation>,
    from: 'source' | 'loose',
    expected: boolean,
    release?: object,
  ];
  const rules: Rule[] = [
    ['the org', () => ({}), 'loose', true],
    ['the source', (p) => ({ sourceId: p.source.id }), 'source', true],
    ['another source', (p) => ({ sourceId: p.source.id }), 'loose', false],
    ['the product', (p) => ({ productId: p.product.id }), 'source', true],
    ['a source without the product', (p) => ({ productId: p.product.id }), 'loose', false],
    ['source and product', (p) => ({ sourceId: p.source.id, productId: p.product.id }), 'source', true],
    ['the type', () => ({ releaseType: 'feature' }), 'loose', true, { type: 'feature' }],
    ['another type', () => ({ releaseType: 'rollup' }), 'loose', false, { type: 'feature' }],
    ['a pre-release', () => ({}), 'loose', true, { prerelease: true }],
    ['a pre-release that is not wanted', () => ({ excludePrereleases: true }), 'loose', false, { prerelease: true }],
    ['a major break', () => ({ minBreaking: 'major' }), 'loose', true, { breaking: 'major' }],
    ['a minor break is not major', () => ({ minBreaking: 'major' }), 'loose', false, { breaking: 'minor' }],
    ['a release that is not judged', () => ({ minBreaking: 'minor' }), 'loose', false, { breaking: 'unknown' }],
    ['importance', () => ({ minImportance: 4 }), 'loose', true, { importance: 4 }],
    ['too little importance', () => ({ minImportance: 4 }), 'loose', false, { importance: 3 }],
    ['a security fix', () => ({ security: true }), 'loose', true, { content: '- Escapes names (CVE-2024-1234)' }],
    ['no security fix', () => ({ security: true }), 'loose', false, { content: '- Fixed a crash' }],
    [
      'any of the meanings',
      () => ({ minBreaking: 'major', minImportance: 5, security: true }),
      'loose',
      true,
      { breaking: 'none', importance: 2, content: '- Escapes names (CVE-2024-1234)' },
    ],
    [
      'a meaning and another type',
      () => ({ minBreaking: 'major', releaseType: 'rollup' }),
      'loose',
      false,
      { breaking: 'major', type: 'feature' },
    ],
  ];
  for (const [name, wish, from, expected, release] of rules) {
    it(`${name}: ${expected ? 'sent' : 'not sent'}`, async () => {
      const here = await setUp();
      const { id } = await subscribe(here.me.ctx, { orgId: here.org.id, ...wish(here) });
      assert.equal(await matches(here, await announce(here, here[from].id, release), id), expected);
    });
  }

  it('another org: not sent', async () => {
    const here = await setUp();
    const elsewhere = await makePlaces(here.ctx);
    const { id } = await subscribe(here.me.ctx, { orgId: elsewhere.org.id });
    assert.equal(await matches(here, await announce(here, here.source.id), id), false);
  });

  it('a source without an org: to nobody', async () => {
    const here = await setUp();
    const source = await createSource(here.ctx);
    const event = await announce(here, source.id);
    assert.equal(event.org_id, null);
    assert.deepEqual(await subscriptionsFor(here.ctx, event), []);
  });

  it('a disabled one, or one made after the event, gets nothing by itself', async () => {
    const here = await setUp();
    const { id } = await subscribe(here.me.ctx, { orgId: here.org.id });
    const event = await announce(here, here.source.id);
    assert.ok((await subscriptionsFor(here.ctx, event)).includes(id));
    await setRow(here.ctx, id, { enabled: 0 });
    assert.deepEqual(await subscriptionsFor(here.ctx, event), []);
    await setRow(here.ctx, id, { enabled: 1 });
    here.clock.move(1);
    const late = await subscribe(here.me.ctx, { orgId: here.org.id });
    assert.deepEqual(await subscriptionsFor(here.ctx, event), [id]);
    const window = { since: event.ts, until: event.ts, limit: 10 };
    const { events } = await eventsFor(here.ctx, await storedRow(here.ctx, late.id), window);
    assert.deepEqual(
      events.map(({ id }) => id),
      [event.id],
      'a replay reaches back',
    );
  });

  for (const [target, from, expected] of [
    ['org', 'loose', true],
    ['product', 'source', true],
    ['product', 'loose', false],
  ] as const) {
    it(`follows of the ${target}, release of the ${from} source: ${expected ? 'sent' : 'not sent'}`, async () => {
      const here = await setUp();
      const { id } = await subscribe(here.me.ctx, { scope: 'follows' });
      await here.follow(target, here[target].id);
      assert.equal(await matches(here, await announce(here, here[from].id), id), expected);
      assert.equal(await matches(here, await announce(here, here[from].id, { prerelease: true }), id), false);
    });
  }

  it('follows: once, also when org and product are followed; and not what came before the follow', async () => {
    const here = await setUp();
    const { id } = await subscribe(here.me.ctx, { scope: 'follows' });
    const before = await announce(here, here.source.id);
    here.clock.move(1);
    await here.follow('org', here.org.id);
    await here.follow('product', here.product.id);
    assert.equal(await matches(here, before, id), false);
    const after = await announce(here, here.source.id);
    assert.deepEqual(await subscriptionsFor(here.ctx, after), [id]);
    assert.equal(await matches(here, after, id), true);
  });

  it('two subscriptions of one account: both', async () => {
    const here = await setUp();
    const one = await subscribe(here.me.ctx, { orgId: here.org.id });
    const two = await subscribe(here.me.ctx, { orgId: here.org.id, sourceId: here.source.id });
    const event = await announce(here, here.source.id);
    assert.deepEqual(await subscriptionsFor(here.ctx, event), [one.id, two.id].toSorted());
  });

  it('is read from indexes, whatever else has happened', async () => {
    const { ctx } = await setUp();
    const window = sql`e.ts >= 1 AND e.ts <= 2 AND (e.ts, e.seq) > (1, 1) ORDER BY e.ts, e.seq LIMIT 500`;
    // On a nearly empty table PostgreSQL may use either index; it sorts nothing and scans no table.
    for (const scope of [sql`e.org_id = 'org_x' AND`, sql``]) {
      const plan = await ctx.store.dialect.explain(
        ctx.store.read,
        sql`SELECT * FROM events e WHERE ${scope} ${window}`,
      );
      assert.match(plan, /\bevents_by_(?:org|time)\b/, plan);
      assert.doesNotMatch(plan, /TEMP B-TREE|\bSort\b|SCAN e\b|Seq Scan/, plan);
    }
  });

  it('pages through events of one moment without loss', async () => {
    const here = await setUp();
    const { id } = await subscribe(here.me.ctx, { orgId: here.org.id, excludePrereleases: true });
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      made.push((await announce(here, here.source.id, { prerelease: index % 3 === 1 })).id);
    }
    const scope = await storedRow(here.ctx, id);
    const found: string[] = [];
    let after: { ts: number; seq: number } | undefined;
    for (;;) {
      const page = await eventsFor(here.ctx, scope, { since: 0, until: Number.MAX_SAFE_INTEGER, after, limit: 2 });
      found.push(...page.events.map((event) => event.id));
      if (!page.next) break;
      after = page.next;
    }
    assert.deepEqual(
      found,
      made.filter((_, index) => index % 3 !== 1),
    );
  });
});
