// What the OAuth endpoints have in common.
import { type AuthCall, fieldsOf } from './call.ts';
import { fieldsIn } from './errors.ts';

// Fields of a form or of JSON, as a form; values that are no text are left out.
export function formOf(call: AuthCall): URLSearchParams {
  if (call.body && 'form' in call.body) return new URLSearchParams(call.body.form);
  const texts = Object.entries(fieldsOf(call)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new URLSearchParams(texts);
}

// A last slash makes no other resource.
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

// The value is read before it can be trusted; it counts only after the signature was checked.
export function claimedGrant(presented: string): ClaimedGrant | null {
  try {
    const claims = JSON.parse(Buffer.from(presented.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return { id: String(claims.gid), clientId: String(claims.azp) };
  } catch {
    return null;
  }
}
