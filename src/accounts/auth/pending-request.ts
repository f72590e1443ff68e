// An app's request that waits for its user to sign in. The sign-in library hands it to our pages as a signed query.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { findClient, redirectUrisOf } from './clients.ts';
import { isRegistered, policySourceOf } from './redirect-uri.ts';
import { authSecret } from './secret.ts';

// Whether this service wrote the query, and not too long ago.
export function isPendingRequest(ctx: Pick<Context, 'secrets' | 'clock'>, query: string): boolean {
  const params = new URLSearchParams(query);
  const [signature = '', ...more] = params.getAll('sig');
  if (more.length > 0 || !(Number(params.get('exp')) * 1000 >= ctx.clock().getTime())) return false;
  params.delete('sig');
  const given = Buffer.from(signature);
  const expected = Buffer.from(createHmac('sha256', authSecret(ctx)).update(canonical(params)).digest('base64'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

// The parameters in the order in which the library signs them.
function canonical(params: URLSearchParams): string {
  const entries = [...params].sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  return new URLSearchParams(entries).toString();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Where the forms of a page may lead for this request: to the app, if it is one that is known here.
export async function returnTargets(ctx: Context, query: string): Promise<string[]> {
  if (query === '' || !isPendingRequest(ctx, query)) return [];
  const params = new URLSearchParams(query);
  const uri = params.get('redirect_uri') ?? '';
  const client = await findClient(ctx, params.get('client_id') ?? '');
  const source = client && isRegistered(uri, redirectUrisOf(client)) ? policySourceOf(uri) : null;
  return source === null ? [] : [source];
}
