// Keys that sign access tokens.
import { type Context, now, queries } from '../../context.ts';
import { authSecrets } from './secret.ts';

const ENVELOPE = /^"\$ba\$(?<version>\d+)\$/;

// A key whose secret is configured no more cannot sign; the library makes a new one when there is none that can.
export async function retireUnreadableKeys(ctx: Context): Promise<void> {
  const versions = new Set(authSecrets(ctx).map(({ version }) => String(version)));
  const keys = await queries(ctx).selectFrom('jwks').select(['id', 'private_key', 'expires_at']).execute();
  const at = now(ctx);
  const lost = keys.filter(({ private_key, expires_at }) => {
    const version = ENVELOPE.exec(private_key)?.groups?.version ?? '';
    return !versions.has(version) && (expires_at === null || expires_at > at);
  });
  if (lost.length === 0) return;
  const ids = lost.map(({ id }) => id);
  await ctx.store.transaction(
    (tx) => tx.updateTable('jwks').set({ expires_at: at }).where('id', 'in', ids).execute(),
    'bookkeeping',
  );
}
