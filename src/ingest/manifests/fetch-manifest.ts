// The file that a domain serves about itself.
import { createHash } from 'node:crypto';
import type { WriteContext } from '../../context.ts';
import { type ManifestFile, manifestFile } from '../../contract/manifest-file.ts';
import type { ManifestResult, PointedIssue } from '../../contract/manifest-sync.ts';
import type { OrgChange } from '../../contract/org-input.ts';
import { keysOf } from '../../domain/records.ts';
import { accountHolder } from '../../entities/org-claims.ts';
import { insertAccount } from '../../entities/orgs/create.ts';
import { updateOrg } from '../../entities/orgs/update.ts';
import { findCategory } from '../../entities/taxonomy/category.ts';
import { addTags } from '../../entities/taxonomy/entity-labels.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import type { FetchFailure } from '../../net/result.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import { readDocument } from '../../threads/documents.ts';
import { TaskStopped, threadTask } from '../../threads/task.ts';
import { statusOutcome } from '../adapters/outcomes.ts';
import { cleanHandle, type KnownOrg } from './known.ts';
import { usableTags } from './products.ts';

type Unread = Extract<ManifestResult, 'not_found' | 'blocked' | 'http_error' | 'network_error' | 'too_large'>;
type FetchedManifest = ManifestReading | { result: Unread };

const PATH = '/.well-known/releases.json';
const LIMITS = { totalMs: 5_000, maxBytes: 256 * 1024, maxRedirects: 1 };

export async function fetchManifest(
  ctx: { fetch: GuardedFetch; clock: () => Date },
  { domain }: { domain: string },
): Promise<FetchedManifest> {
  const answer = await ctx.fetch({
    url: `https://${domain}${PATH}`,
    headers: { accept: 'application/json' },
    httpsOnly: true,
    limits: LIMITS,
    mayRedirect: staysAtHome,
  });
  if (!answer.ok) return { result: failureResult(answer) };
  const failure = statusOutcome(answer, ctx.clock());
  if (failure === null) {
    if (answer.status === 304) return { result: 'http_error' };
    return readDocument(MANIFEST_READING, answer.body, answer.body.length).catch(stoppedReading);
  }
  if (failure.outcome === 'gone') return { result: 'not_found' };
  return { result: failure.outcome === 'blocked' ? 'blocked' : 'http_error' };
}

// A redirect is followed only between the bare host and its `www.` host.
function staysAtHome(from: URL, to: URL): boolean {
  const bare = (url: URL) => url.host.replace(/^www\./, '');
  return to.protocol === from.protocol && to.pathname === PATH && to.search === '' && bare(from) === bare(to);
}

function failureResult({ failure }: FetchFailure): Unread {
  switch (failure) {
    case 'too_large':
      return 'too_large';
    case 'refused':
      return 'blocked';
    case 'redirect':
    case 'malformed_answer':
    case 'malformed_encoding':
      return 'http_error';
    default:
      return 'network_error';
  }
}

type ManifestReading =
  | { result: 'ok'; hash: string; file: ManifestFile }
  | { result: 'invalid_json' }
  | { result: 'invalid_schema'; issues: PointedIssue[] };

const MAX_ISSUES = 20;

export function readManifest(bytes: Uint8Array): ManifestReading {
  const json = parse(bytes);
  if (json === undefined) return { result: 'invalid_json' };
  const checked = manifestFile.safeParse(json);
  if (checked.success) {
    return { result: 'ok', hash: createHash('sha256').update(bytes).digest('hex'), file: checked.data };
  }
  const issues = checked.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ pointer: pointerOf(path), reason: message }));
  return { result: 'invalid_schema', issues };
}

const MANIFEST_READING = threadTask(import.meta.url, readManifest);

// A file that takes too much time or memory to read is none that can be used.
export function stoppedReading(error: unknown): ManifestReading {
  if (!(error instanceof TaskStopped)) throw error;
  return { result: 'invalid_schema', issues: [{ pointer: '', reason: `takes too much to read: ${error.message}` }] };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

// Applies what a manifest says about the org itself. A value that a person has set stays.

const COLUMNS = { description: 'description', category: 'category', avatarUrl: 'avatar_url' } as const;

export async function writeOrgFields(ctx: WriteContext, known: KnownOrg, file: ManifestFile): Promise<void> {
  const { org } = known;
  const given = {
    description: file.description?.trim() || undefined,
    category: (file.category && (await findCategory(ctx, file.category))) || undefined,
    avatarUrl: file.avatar,
  };
  const declared = new Set<string>(parseJson(org.self_declared));
  const change: OrgChange = {};
  for (const field of keysOf(COLUMNS)) {
    const column = COLUMNS[field];
    const value = given[field];
    const stored = org[column];
    if (value === undefined || (stored !== null && !declared.has(column))) continue;
    declared.add(column);
    if (value !== stored) Object.assign(change, { [field]: value });
  }
  if (Object.keys(change).length > 0) await updateOrg(ctx, { org: org.id, change });
  // Other updates mark a field as set by a person; this one must not.
  const self_declared = toJson([...declared].sort());
  await ctx.tx.updateTable('orgs').set({ self_declared }).where('id', '=', org.id).execute();
  await addTags(ctx, { orgId: org.id }, usableTags(file.tags));
  await addSocial(ctx, known, file.social ?? {});
}

// An account that belongs to another org stays there: a manifest is no proof against a stored account.
async function addSocial(ctx: WriteContext, { org, memory }: KnownOrg, social: Record<string, string>): Promise<void> {
  for (const account of await freeAccounts(ctx, social)) {
    await insertAccount(ctx, org.id, account);
    memory.accounts.push(`${account.platform}/${account.handle}`);
  }
}

export async function freeAccounts(
  ctx: WriteContext,
  social: Record<string, string>,
): Promise<{ platform: string; handle: string }[]> {
  const named = Object.entries(social).flatMap(([platform, handle]) => cleanHandle(platform, handle) ?? []);
  const free = [];
  for (const account of named) {
    if ((await accountHolder(ctx, account)) === null) free.push(account);
  }
  return free;
}
