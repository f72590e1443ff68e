// Access tokens with changed claims, signed with the real key of the service, so that only the claims can make them
// invalid.
import { createPrivateKey, sign } from 'node:crypto';
import { symmetricDecrypt } from 'better-auth/crypto';
import { authSecrets } from '../../src/accounts/auth/secret.ts';
import type { Context } from '../../src/context.ts';

type Claims = Record<string, unknown>;

export function partsOf(jwt: string): { header: Claims; claims: Claims } {
  const [header, claims] = jwt.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  return { header, claims };
}

// The token with these claims changed; undefined removes one.
export async function signedAgain(
  ctx: Context,
  jwt: string,
  change: { header?: Claims; claims?: Claims } = {},
): Promise<string> {
  const { header, claims } = partsOf(jwt);
  const { private_key } = await ctx.store.read
    .selectFrom('jwks')
    .select('private_key')
    .where('id', '=', String(header.kid))
    .executeTakeFirstOrThrow();
  const secrets = authSecrets(ctx);
  const key = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0].version,
  };
  const jwk = JSON.parse(await symmetricDecrypt({ key, data: JSON.parse(private_key) }));
  const text = `${encoded({ ...header, ...change.header })}.${encoded({ ...claims, ...change.claims })}`;
  const signature = sign(null, Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' }));
  return `${text}.${signature.toString('base64url')}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
