import assert from 'node:assert/strict';
import { it } from 'node:test';
import { as } from '../../../test/support/callers.ts';
import { forEachEngine } from '../../../test/support/engines.ts';
import { refused } from '../../../test/support/refused.ts';
import type { Context } from '../../context.ts';
import type { OrgRowShape } from '../../contract/org.ts';
import type { OrgCreation } from '../../contract/org-input.ts';
import { toJson } from '../../store/json-text.ts';
import { accountsOf } from './accounts.ts';
import { createOrg } from './create.ts';
import { deleteOrg } from './delete.ts';
import { updateOrg } from './update.ts';

forEachEngine('createOrg', (engine) => {
  it('makes a tracked, curated org with its labels, and one audit row', async () => {
    const { ctx } = await engine.openTestApp({ clock: () => new Date('2026-03-01T00:00:00.000Z') });

    const org = await createOrg(as(ctx, 'write'), {
      name: 'Ünïted Widgets',
      domain: 'widgets.example',
      category: 'cloud',
      tags: ['SDK', 'Open Source', 'sdk'],
      aliases: ['old.example', 'widgets.example'],
      accounts: [{ platform: 'github', handle: 'widgets' }],
    });

    assert.deepEqual(
      { ...org, id: '' },
      {
        id: '',
        slug: 'united-widgets',
        name: 'Ünïted Widgets',
        domain: 'widgets.example',
        description: null,
        category: 'cloud',
        avatarUrl: null,
        discovery: 'curated',
        status: 'tracked',
        isHidden: false,
        featured: false,
        fetchPaused: false,
        autoGenerateContent: true,
        overviewCadenceDays: null,
        trackingRequestedAt: null,
        tags: ['Open Source', 'SDK'],
        aliases: ['old.example'],
        notice: null,
        createdAt: '2026-03-01T00:00:00.000Z',
        updatedAt: '2026-03-01T00:00:00.000Z',
        deletedAt: null,
      },
    );
    assert.deepEqual(await accountsOf(ctx, org.id), [{ platform: 'github', handle: 'widgets' }]);
    const audit = await ctx.store.read.selectFrom('audit_log').select(['actor', 'action', 'target_id']).execute();
    assert.deepEqual(
      audit.map((row) => ({ ...row })),
      [{ actor: 'write', action: 'org.create', target_id: org.id }],
    );
  });

  const refusals: [string, OrgCreation, string, (existing: string) => unknown][] = [
    [
      'a taken slug',
      { name: 'X', slug: 'acme' },
      'conflict',
      (id) => ({ field: 'slug', value: 'acme', existingId: id }),
    ],
    ['a taken derived slug', { name: 'Acme!' }, 'conflict', (id) => ({ field: 'slug', value: 'acme', existingId: id })],
    ['a reserved slug', { name: 'X', slug: 'login' }, 'slug_reserved', () => ({ slug: 'login' })],
    ['a reserved derived slug', { name: 'Sign up' }, 'slug_reserved', () => ({ slug: 'sign-up' })],
    [
      'the primary domain of another org',
      { name: 'X', domain: 'acme.example' },
      'conflict',
      (id) => ({ field: 'domain', value: 'acme.example', existingId: id }),
    ],
    [
      'an alias of another org as domain',
      { name: 'X', domain: 'alias.example' },
      'conflict',
      (id) => ({ field: 'domain', value: 'alias.example', existingId: id }),
    ],
    [
      'the domain of another org as alias',
      { name: 'X', aliases: ['acme.example'] },
      'conflict',
      (id) => ({ field: 'aliases', value: 'acme.example', existingId: id }),
    ],
    [
      'an account of another org',
      { name: 'X', accounts: [{ platform: 'github', handle: 'acme' }] },
      'conflict',
      (id) => ({ field: 'accounts', value: 'github/acme', existingId: id }),
    ],
    [
      'a name without a slug',
      { name: '株式会社' },
      'validation_failed',
      () => ({ issues: [{ path: 'slug', reason: 'is required: the name gives none' }] }),
    ],
    [
      'a tag without a slug',
      { name: 'X', tags: ['ok', '!!'] },
      'validation_failed',
      () => ({ issues: [{ path: 'tags.1', reason: 'must hold a letter or a digit' }] }),
    ],
  ];
  let opened: Promise<{ ctx: Context; acme: OrgRowShape }> | null = null;
  const withAcme = async () => {
    const { ctx } = await engine.openTestApp();
    const acme = await createOrg(ctx, {
      name: 'Acme',
      domain: 'acme.example',
      aliases: ['alias.example'],
      accounts: [{ platform: 'github', handle: 'acme' }],
    });
    return { ctx, acme };
  };
  for (const [title, input, code, details] of refusals) {
    it(`refuses ${title} and writes nothing`, async () => {
      opened ??= withAcme();
      const { ctx, acme } = await opened;

      assert.deepEqual(await refused(createOrg(ctx, input)), { code, details: details(acme.id) });
      assert.equal((await ctx.store.read.selectFrom('orgs').select('id').execute()).length, 1);
      assert.equal((await ctx.store.read.selectFrom('tags').select('id').execute()).length, 0);
    });
  }

  it('knows a category by its alias and refuses an unknown one', async () => {
    const { ctx } = await engine.openTestApp();
    await ctx.store.transaction(
      (tx) =>
        tx
          .insertInto('categories')
          .values({ slug: 'ai', name: null, description: null, aliases: toJson(['ml']), updated_at: '' })
          .execute(),
      'catalog',
    );

    const org = await createOrg(ctx, { name: 'Acme', category: 'ml' });
    const changed = await updateOrg(ctx, { org: org.id, change: { category: 'cloud' } });

    assert.equal(org.category, 'ai');
    assert.equal(changed.category, 'cloud');
    assert.equal((await refused(createOrg(ctx, { name: 'X', category: 'robots' })))?.code, 'validation_failed');
  });

  it('lets one of 20 callers have a slug and a domain, and tells the others who has it', async () => {
    const { ctx } = await engine.openTestApp();
    const input = { name: 'Acme', domain: 'acme.example', tags: ['a', 'b'] };

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        createOrg(ctx, input).then(
          (org) => org.id,
          (error) => error.details,
        ),
      ),
    );

    const [winner] = outcomes.filter((outcome) => typeof outcome === 'string');
    const losers = outcomes.filter((outcome) => typeof outcome !== 'string');
    assert.equal(losers.length, 19);
    for (const details of losers) assert.deepEqual(details, { field: 'slug', value: 'acme', existingId: winner });
  });

  it('gives slug, domain, alias and account of a deleted org away', async () => {
    const { ctx } = await engine.openTestApp();
    const input: OrgCreation = {
      name: 'Acme',
      domain: 'acme.example',
      aliases: ['alias.example'],
      accounts: [{ platform: 'github', handle: 'acme' }],
    };
    const first = await createOrg(ctx, input);
    await deleteOrg(ctx, { org: 'acme', hard: false });

    const second = await createOrg(ctx, input);

    assert.notEqual(second.id, first.id);
    assert.deepEqual([second.slug, second.domain, second.aliases], ['acme', 'acme.example', ['alias.example']]);
  });
});
