import { z } from 'zod';
import { type ChangelogOptions, parseChangelog } from '../../../domain/changelog/entries.ts';
import { readDocument } from '../../../threads/documents.ts';
import { threadTask } from '../../../threads/task.ts';
import type { AdapterContext } from '../contract.ts';
import { fetchFailureOf } from '../outcomes.ts';
import { unproven } from '../probing.ts';
import type { Proof, ProvenRepository, RepositoryOptions, SampleItem } from '../proofs.ts';
import { createGithubApi, type GithubApi } from './api.ts';
import { parseRepository } from './parse-repository.ts';
import { repositoryPath } from './run.ts';

const SAMPLE = 10;

export async function proveRepository(
  ctx: AdapterContext,
  coordinate: string,
  options: RepositoryOptions = {},
): Promise<Proof<ProvenRepository>> {
  const api = createGithubApi(ctx, []);
  const answer = await api.get(repositoryPath({ coordinate }));
  if (answer.kind === 'failure') return unproven(answer.failure);
  const json = answer.kind === 'read' ? answer.json : null;
  const facts = parseRepository(json);
  if (!facts) return { verdict: 'unreachable', reason: 'malformed' };
  // Our token may have access to private repositories, which count as missing.
  if ((json as { private?: unknown }).private === true) return { verdict: 'refused', reason: 'private' };
  const { fullName, homepage, archived } = facts;
  return {
    verdict: 'proven',
    fullName,
    homepage,
    archived,
    ownerSite: options.ownerSite ? await ownerSite(api, fullName) : null,
    items: options.items ? await newest(ctx, api, fullName) : [],
  };
}

const profile = z.object({ blog: z.string().nullish() });

async function ownerSite(api: GithubApi, fullName: string): Promise<string | null> {
  const answer = await api.get(`/users/${encodeURIComponent(fullName.split('/', 1)[0] ?? '')}`);
  if (answer.kind !== 'read') return null;
  return profile.safeParse(answer.json).data?.blog || null;
}

const release = z.object({
  tag_name: z.string(),
  name: z.string().nullish(),
  html_url: z.string().nullish(),
  published_at: z.iso.datetime().nullish(),
  draft: z.boolean().nullish(),
});
const tag = z.object({ name: z.string() });

async function newest(ctx: AdapterContext, api: GithubApi, fullName: string): Promise<SampleItem[]> {
  const path = repositoryPath({ coordinate: fullName });
  const releases = await listOf(api, `${path}/releases?per_page=${SAMPLE}`, release);
  const published = releases.filter(({ draft }) => !draft);
  if (published.length > 0) {
    return published.map(({ tag_name: version, name, html_url, published_at }) => ({
      title: name || version,
      version,
      url: html_url ?? null,
      publishedAt: published_at ? new Date(published_at).toISOString() : null,
    }));
  }
  const tags = await listOf(api, `${path}/tags?per_page=${SAMPLE}`, tag);
  if (tags.length > 0) return tags.map(({ name }) => ({ title: name, version: name, url: null, publishedAt: null }));
  return changelogItems(ctx, fullName);
}

async function listOf<T extends z.ZodType>(api: GithubApi, path: string, shape: T): Promise<z.output<T>[]> {
  const answer = await api.get(path);
  if (answer.kind !== 'read' || !Array.isArray(answer.json)) return [];
  return answer.json.flatMap((entry) => {
    const { success, data } = shape.safeParse(entry);
    return success ? [data] : [];
  });
}

async function changelogItems(ctx: AdapterContext, fullName: string): Promise<SampleItem[]> {
  const answer = await ctx.fetch({ url: `${ctx.settings.githubRawUrl}/${fullName}/HEAD/CHANGELOG.md` });
  if (fetchFailureOf(answer, ctx.now) !== null || !answer.ok) return [];
  const text = new TextDecoder().decode(answer.body);
  return readDocument(SAMPLING, { text, names: fullName.split('/'), now: ctx.now }, text.length);
}

export function sampleOfChangelog({ text, ...options }: ChangelogOptions & { text: string }): SampleItem[] {
  return parseChangelog(text, options)
    .slice(0, SAMPLE)
    .map(({ title, version, date }) => ({ title, version, url: null, publishedAt: date?.at ?? null }));
}

const SAMPLING = threadTask(import.meta.url, sampleOfChangelog);
