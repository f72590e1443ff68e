// Asks the public feed whether the releases have changed.
import type { FetchSuccess } from '../../../net/result.ts';
import type { Validator } from '../contract.ts';
import { fetchFailureOf } from '../outcomes.ts';
import { atomHash } from './atom.ts';
import { ENDPOINTS, findValidator } from './memory.ts';
import type { GithubRun } from './run.ts';

interface AtomRead {
  // True also when nothing could be learned: then the API has to say.
  changed: boolean;
  status: number | null;
  validator: Validator | null;
}

export async function readAtom(run: GithubRun): Promise<AtomRead> {
  const { ctx, input, coordinate } = run;
  const known = findValidator(input.validators, ENDPOINTS.atom);
  const result = await ctx.fetch({
    url: `${ctx.settings.githubWebUrl.replace(/\/+$/, '')}/${coordinate}/releases.atom`,
    headers: { accept: 'application/atom+xml', ...(known?.etag ? { 'if-none-match': known.etag } : {}) },
  });
  const fault = fetchFailureOf(result, ctx.now);
  if (fault) {
    run.notes.push(`feed of releases not read: ${fault.outcome}`);
    return { changed: true, status: fault.httpStatus, validator: null };
  }
  const { status, headers, body } = result as FetchSuccess;
  if (status === 304) return { changed: !known?.etag, status, validator: null };
  const contentHash = atomHash(new TextDecoder().decode(body));
  if (contentHash === null) return { changed: true, status, validator: null };
  const etag = headers.etag ?? null;
  return {
    changed: contentHash !== known?.contentHash,
    status,
    validator: { endpoint: ENDPOINTS.atom, etag, lastModified: null, contentHash, tokenFingerprint: null },
  };
}
