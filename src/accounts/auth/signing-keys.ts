// Keys that sign access tokens. They are encrypted again when the secret of the service changes, and retired when no secret
// opens them. The format is that of the sign-in library: JSON text of an envelope that names its secret.
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { type Context, now, queries } from '../../context.ts';
import type { Reencryption } from '../feed-secret.ts';
import { authSecrets } from './secret.ts';

export async function reencryptSigningKeys(ctx: Context): Promise<Reencryption> {
  const result = { moved: 0, unreadable: 0 };
  // A key that no longer signs is only published, and its public half is not encrypted.
  const rows = await ctx.store.read
    .selectFrom('jwks')
    .select(['id', 'private_key'])
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now(ctx))]))
    .orderBy('id')
    .execute();
  for (const { id, private_key: stored } of rows) {
    const moved = await underCurrentSecret(ctx, stored);
    if (moved === null) result.unreadable += 1;
    if (moved === null || moved === stored) continue;
    await ctx.store.transaction(
      (tx) => tx.updateTable('jwks').set({ private_key: moved }).where('id', '=', id).execute(),
      'bookkeeping',
    );
    result.moved += 1;
  }
  return result;
}

// The same text when it is encrypted with the current secret already; null when no secret decrypts it.
async function underCurrentSecret(ctx: Context, stored: string): Promise<string | null> {
  const secrets = authSecrets(ctx);
  const [{ version: currentVersion }] = secrets;
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion };
  const envelope = envelopeIn(stored);
  if (envelope === null) return null;
  try {
    const data = await symmetricDecrypt({ key, data: envelope });
    if (parseEnvelope(envelope)?.version === currentVersion) return stored;
    return JSON.stringify(await symmetricEncrypt({ key, data }));
  } catch {
    return null;
  }
}

function envelopeIn(stored: string): string | null {
  try {
    const text: unknown = JSON.parse(stored);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

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
