// Parsing that the OAuth endpoints share.
import { type AuthCall, fieldsOf } from './call.ts';
import { fieldsIn } from './errors.ts';

// The fields of a form or of JSON as a form; values that are not text are left out.
export function formOf(call: AuthCall): URLSearchParams {
  if (call.body && 'form' in call.body) return new URLSearchParams(call.body.form);
  const texts = Object.entries(fieldsOf(call)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new URLSearchParams(texts);
}

// A trailing slash is ignored when resources are compared.
export function resourcesIn(fields: URLSearchParams): string[] {
  return fields
    .getAll('resource')
    .filter((resource) => resource !== '')
    .map((resource) => resource.replace(/\/$/, ''));
}

export async function isRefused(response: Response, error: string): Promise<boolean> {
  if (response.status !== 400) return false;
  return (await fieldsIn(response)).error === error;
}

export interface ClaimedGrant {
  id: string;
  clientId: string;
}

// The claims are read before the signature is checked, so they count only after that check.
export function claimedGrant(presented: string): ClaimedGrant | null {
  try {
    const claims = JSON.parse(Buffer.from(presented.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return { id: String(claims.gid), clientId: String(claims.azp) };
  } catch {
    return null;
  }
}
