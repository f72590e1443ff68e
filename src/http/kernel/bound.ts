// Credentials that are bound to an organization, a product or a source: a gated call runs with their scope when all that
// it touches lies within, and is refused when it does not or cannot be told.
import { liesWithin } from '../../accounts/bound-places.ts';
import type { Context } from '../../context.ts';
import { type CredentialBound, holdsScope, SCOPES, type Scope } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { inputPlaces, type NamedPlace, pathPlace } from '../../domain/bound-calls.ts';
import type { RouteDeclaration } from './route.ts';
import { checkPathIds } from './target.ts';

interface BoundInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body?: unknown;
}

// By the path alone, before the body is read, so that nothing is told of what lies outside.
export async function refuseOutside(
  ctx: Context,
  declaration: RouteDeclaration,
  params: Record<string, string>,
): Promise<void> {
  const gate = boundGate(ctx, declaration);
  if (!gate || declaration.touchedSource) return;
  const place = pathPlace(declaration.path, checkPathIds(params));
  await requireWithin(ctx, gate, place && [place]);
}

export async function withinBound(ctx: Context, declaration: RouteDeclaration, input: BoundInput): Promise<Context> {
  const gate = boundGate(ctx, declaration);
  if (!gate) return ctx;
  await requireWithin(ctx, gate, await placesOf(ctx, declaration, input));
  return { ...ctx, caller: { ...ctx.caller, scope: gate.scope } };
}

interface BoundGate {
  bound: CredentialBound;
  scope: Scope;
}

// Null where the call needs no scope that the caller holds within its bound alone.
function boundGate({ caller }: Context, { access }: RouteDeclaration): BoundGate | null {
  const scope = SCOPES.find((known) => known === access);
  if (!scope || !caller.bound || holdsScope(caller, scope)) return null;
  return { bound: caller.bound, scope };
}

async function placesOf(
  ctx: Context,
  { path, touchedSource }: RouteDeclaration,
  input: BoundInput,
): Promise<NamedPlace[] | null> {
  if (touchedSource) return [{ type: 'source', name: await touchedSource(ctx, input as never) }];
  const place = pathPlace(path, input.params);
  return place && inputPlaces(place, input);
}

async function requireWithin(ctx: Context, { bound, scope }: BoundGate, places: NamedPlace[] | null): Promise<void> {
  if (holdsScope(bound, scope) && places && (await liesWithin(ctx, bound, places))) return;
  throw new ApiError('insufficient_scope', `this token is bound to ${bound.id}, and the call is not within it`, {
    required: scope,
    bound: { type: bound.type, id: bound.id },
  });
}
