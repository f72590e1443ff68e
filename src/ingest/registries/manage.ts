// Private registries as an operator keeps them: address, sealed token and admitted accounts by scope.

import { reseal, seal } from '../../accounts/sealing.ts';
import { forgetStackAnswers } from '../../accounts/stacks/forget-answers.ts';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { notFound, validationFailed } from '../../contract/errors.ts';
import type { PackageRegistry, PackageRegistryInput } from '../../contract/package-reading.ts';
import { parseHostList } from '../../domain/net/host-list.ts';
import { storedAddressRefusal } from '../../domain/net/stored-address.ts';
import { isScope } from '../../domain/published-package.ts';
import { recordAudit } from '../../entities/audit.ts';
import { ADMISSIONS_LOCK, privateScopes } from '../../entities/packages/viewer.ts';
import { inScope, tokenPurpose } from './addresses.ts';
import { forgetLearnt, forgetScope, notePrivateScopes } from './forget.ts';
import { listRegistries } from './overview.ts';

// Shorter tokens would be half told by their end.
const MIN_FOR_HINT = 16;
const HINT = 4;

export async function putRegistry(ctx: Context, input: PackageRegistryInput): Promise<PackageRegistry> {
  const { scope, token } = input;
  const url = input.url.replace(/\/+$/, '');
  checkAddress(ctx, { scope, url });
  await transact(ctx, async (ctx) => {
    const before = await storedRegistry(ctx, scope);
    const at = now(ctx);
    const columns = {
      url,
      // A token is for the address that it was given with.
      ...(token === undefined
        ? before?.url === url
          ? {}
          : { token: null, token_hint: null }
        : {
            token: token === null ? null : seal(ctx, tokenPurpose(scope), Buffer.from(token)),
            token_hint: token !== null && token.length >= MIN_FOR_HINT ? token.slice(-HINT) : null,
          }),
      updated_at: at,
    };
    await ctx.tx
      .insertInto('package_registries')
      .values({ scope, token: null, token_hint: null, ...columns, created_at: at })
      .onConflict((conflict) => conflict.column('scope').doUpdateSet(columns))
      .execute();
    await notePrivateScopes(ctx, [scope]);
    if (input.accounts) await admit(ctx, scope, input.accounts);
    // What another registry said about these names is forgotten, and all of them are read now.
    if (before?.url !== url) await forgetListings(ctx, scope);
    await ctx.tx.updateTable('package_states').set({ next_read_at: at }).where(inScope(scope)).execute();
    await recordAudit(ctx, {
      action: before ? 'package_registry.update' : 'package_registry.create',
      targetType: 'package_registry',
      targetId: scope,
      before: before && { url: before.url, hasToken: before.token !== null },
      after: {
        url,
        token: token === undefined ? 'unchanged' : token === null ? 'removed' : 'replaced',
        accounts: input.accounts,
      },
    });
  });
  const found = (await listRegistries(ctx)).find((one) => one.scope === scope);
  if (!found) throw notFound('package registry', scope);
  return found;
}

function checkAddress(ctx: Context, { scope, url }: { scope: string; url: string }): void {
  const { registries } = ctx.config.packages;
  if (!isScope(scope))
    throw validationFailed([{ path: 'scope', reason: 'must be a scope such as @acme, in lower case' }]);
  const fixed = registries.get(scope);
  if (fixed !== undefined && fixed !== url) {
    throw validationFailed([{ path: 'url', reason: `REGISTRY_PACKAGE_REGISTRIES names ${fixed} for this scope` }]);
  }
  const { search, hash } = new URL(url);
  if (search || hash) throw validationFailed([{ path: 'url', reason: 'must not have a query' }]);
  const refusal = storedAddressRefusal(url, parseHostList(ctx.config.egress.allow).list);
  if (refusal === null) return;
  const isPrivate = refusal === 'private_address' || refusal === 'internal_host';
  const reason = isPrivate ? 'a private address also needs REGISTRY_EGRESS_ALLOW' : `may not be asked (${refusal})`;
  throw validationFailed([{ path: 'url', reason }]);
}

function storedRegistry(ctx: WriteContext, scope: string) {
  return ctx.tx.selectFrom('package_registries').selectAll().where('scope', '=', scope).executeTakeFirst();
}

// By confirmed address, or by id: anybody may sign up with an address that nobody confirms.
async function admit(ctx: WriteContext, scope: string, accounts: readonly string[]): Promise<void> {
  const wanted = [...new Set(accounts.map((account) => account.trim()))];
  const users = await ctx.tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where((eb) =>
      eb.or([
        eb('id', 'in', [...wanted, '']),
        eb.and([eb('email_verified', '=', 1), eb('email', 'in', [...wanted.map((one) => one.toLowerCase()), ''])]),
      ]),
    )
    .execute();
  const unknown = wanted.filter((one) => !users.some(({ id, email }) => id === one || email === one.toLowerCase()));
  if (unknown.length > 0) {
    const reason = `no account has this id or has confirmed this address: ${unknown.slice(0, 5).join(', ')}`;
    throw validationFailed([{ path: 'accounts', reason }]);
  }
  await ctx.store.dialect.lock(ctx.tx, ADMISSIONS_LOCK);
  await ctx.tx.deleteFrom('package_admissions').where('scope', '=', scope).execute();
  const rows = users.map(({ id }) => ({ scope, user_id: id, created_at: now(ctx) }));
  if (rows.length > 0) await ctx.tx.insertInto('package_admissions').values(rows).execute();
  await forgetStackAnswers(ctx, { packages: inScope(scope), admittedTo: scope });
}

async function forgetListings(ctx: WriteContext, scope: string): Promise<void> {
  await forgetLearnt(ctx, scope);
  await ctx.tx
    .updateTable('package_states')
    .set({
      registry: scope,
      validators: 'null' as never,
      latest: null,
      dist_tags: null,
      repository: null,
      homepage: null,
      listed_at: null,
      outcome: 'never_read',
      reason: null,
      failing_since: null,
    })
    .where(inScope(scope))
    .execute();
}

interface DeletedRegistry {
  scope: string;
  // Its names may go to the public registry from now on.
  public?: boolean | undefined;
}

// Everything that was learnt from the registry goes with it, and its scope stays closed unless it is made public. One that the
// environment names loses its token and its accounts, and stays.
export async function deleteRegistry(
  ctx: Context,
  { scope, public: isPublic = false }: DeletedRegistry,
): Promise<void> {
  const isFixed = ctx.config.packages.registries.has(scope);
  if (isFixed && isPublic) {
    throw validationFailed([{ path: 'public', reason: 'REGISTRY_PACKAGE_REGISTRIES still names this scope' }]);
  }
  await transact(ctx, async (ctx) => {
    const before = await storedRegistry(ctx, scope);
    const isKnown = before !== undefined || isFixed || (isPublic && (await privateScopes(ctx)).has(scope));
    if (!isKnown) throw notFound('package registry', scope);
    await ctx.store.dialect.lock(ctx.tx, ADMISSIONS_LOCK);
    await ctx.tx.deleteFrom('package_registries').where('scope', '=', scope).execute();
    await ctx.tx.deleteFrom('package_admissions').where('scope', '=', scope).execute();
    if (isFixed) await forgetStackAnswers(ctx, { packages: inScope(scope), admittedTo: scope });
    else await forgetScope(ctx, scope);
    if (isPublic) await ctx.tx.deleteFrom('private_scopes').where('scope', '=', scope).execute();
    else await notePrivateScopes(ctx, [scope]);
    await recordAudit(ctx, {
      action: isPublic ? 'package_registry.make_public' : 'package_registry.delete',
      targetType: 'package_registry',
      targetId: scope,
      before: before && { url: before.url, hasToken: before.token !== null },
    });
  });
}

// Called when the secret of the service was replaced.
export async function reencryptRegistryTokens(ctx: Context): Promise<{ moved: number; unreadable: number }> {
  return transact(
    ctx,
    async (ctx) => {
      const result = { moved: 0, unreadable: 0 };
      const rows = await ctx.tx
        .selectFrom('package_registries')
        .select(['scope', 'token'])
        .modifyEnd(ctx.store.dialect.forUpdate)
        .execute();
      for (const { scope, token } of rows) {
        const moved = token === null ? null : reseal(ctx, tokenPurpose(scope), token);
        if (token !== null && moved === null) result.unreadable += 1;
        if (moved === null || moved === token) continue;
        await ctx.tx.updateTable('package_registries').set({ token: moved }).where('scope', '=', scope).execute();
        result.moved += 1;
      }
      return result;
    },
    'bookkeeping',
  );
}
