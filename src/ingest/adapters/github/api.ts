// The client of GitHub's API: token, ETag and quota. Every answer is read, unchanged or a failure.
import type { FetchSuccess } from '../../../net/result.ts';
import { type JsonReader, readJsonDocument } from '../../../threads/json.ts';
import type { AdapterContext, Budget, Validator } from '../contract.ts';
import { type Failure, readableAnswer } from '../outcomes.ts';
import { readBudget } from './budget.ts';
import { storedEtag, tokenFingerprint } from './memory.ts';

export interface ApiPage<T> {
  kind: 'read';
  value: T;
  // The address of the page after this one.
  next: string | null;
  // Stored with what was read; only calls that name an endpoint have one.
  validator: Validator | null;
}

export type ApiAnswer<T> = ApiPage<T> | { kind: 'same' } | { kind: 'failure'; failure: Failure };

type GithubCall<T, Options> = ApiTarget & { read: JsonReader<T, Options> } & (Options extends void
    ? { options?: undefined }
    : { options: Options });

interface ApiTarget {
  // A path below the API's root, or an address that the API itself gave.
  target: string;
  // Makes the call conditional, unless the whole answer is wanted whatever was read before.
  endpoint?: string | undefined;
  wanted?: 'changes' | 'all';
}

export interface GithubApi {
  // `read` makes something of the JSON of the answer.
  get<T, Options = void>(call: GithubCall<T, Options>): Promise<ApiAnswer<T>>;
  fingerprint: string | null;
  // The quota of the last answer that reported one.
  readonly budget: Budget | null;
  // True when an answer came from another address than the requested one: the repository was renamed.
  readonly moved: boolean;
}

export function createGithubApi(ctx: AdapterContext, validators: readonly Validator[]): GithubApi {
  const { githubApiUrl, githubToken } = ctx.settings;
  const root = githubApiUrl.replace(/\/+$/, '');
  const fingerprint = tokenFingerprint(githubToken);
  const seen: { budget: Budget | null; moved: boolean } = { budget: null, moved: false };
  const holder = { host: new URL(root).host, tokenFingerprint: fingerprint };
  return {
    fingerprint,
    get budget() {
      return seen.budget;
    },
    get moved() {
      return seen.moved;
    },
    async get({ target, read, options, endpoint, wanted = 'changes' }) {
      const url = target.startsWith('/') ? `${root}${target}` : target;
      // The token is sent to the API alone, whatever address a header or a stored value names.
      if (!url.startsWith(`${root}/`)) return failure('error', 'an address outside of the API');
      const conditional = endpoint !== undefined && wanted === 'changes';
      const etag = conditional ? storedEtag(validators, endpoint, fingerprint) : null;
      const result = await ctx.fetch({ url, headers: headersFor(githubToken, etag) });
      if (result.redirects.length > 0) seen.moved = true;
      if (result.ok) seen.budget = readBudget(result.headers, holder, ctx.now) ?? seen.budget;
      const answer = readableAnswer(result, ctx.now);
      if ('outcome' in answer) return { kind: 'failure', failure: answer };
      if (answer.status === 304) return etag === null ? failure('malformed', '304 that was not asked for') : SAME;
      const value = await readJsonDocument(read, answer.body, options as never);
      if (value === undefined) return failure('malformed', 'not JSON', answer.status);
      const validator = endpoint === undefined ? null : validatorOf(endpoint, answer, fingerprint);
      return { kind: 'read', value, next: nextPage(answer.headers.link, `${root}/`), validator };
    },
  };
}

const SAME = { kind: 'same' } as const;

function validatorOf(endpoint: string, { headers }: FetchSuccess, tokenFingerprint: string | null): Validator {
  return { endpoint, etag: headers.etag ?? null, lastModified: null, contentHash: null, tokenFingerprint };
}

export function failure(
  outcome: Failure['outcome'],
  detail: string,
  httpStatus: number | null = null,
): { kind: 'failure'; failure: Failure } {
  return { kind: 'failure', failure: { outcome, detail, httpStatus, retryAt: null } };
}

function headersFor(token: string | null, etag: string | null): Record<string, string> {
  return {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(etag === null ? {} : { 'if-none-match': etag }),
  };
}

const LINK = /<(?<target>[^<>]{1,2048})>(?<parameters>[^<]*)/g;
const REL_NEXT = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i;

// The address under `rel=next` of a `Link` header, null at the last page.
export function nextPage(link: string | undefined, base: string): string | null {
  for (const { groups } of (link ?? '').matchAll(LINK)) {
    if (REL_NEXT.test(groups?.parameters ?? '')) return URL.parse(groups?.target ?? '', base)?.href ?? null;
  }
  return null;
}
