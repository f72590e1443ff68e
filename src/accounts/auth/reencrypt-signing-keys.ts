// Re-encrypts the keys that sign access tokens with the current secret of the service, in the format of the sign-in
// library: JSON text of an envelope that names its secret.
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { type Context, now } from '../../context.ts';
import type { Reencryption } from '../following/feed-token.ts';
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
