import { z } from 'zod';
import { parseChangelog } from '../../../domain/changelog/entries.ts';
import type { ChangelogOptions } from '../../../domain/changelog/types.ts';
import { MAX_ENTRIES } from '../../../domain/code-hosts/github-release.ts';
import { readDocument } from '../../../threads/documents.ts';
import { jsonReader } from '../../../threads/json.ts';
import { threadTask } from '../../../threads/task.ts';
import type { AdapterContext } from '../contract.ts';
import { fetchFailureOf } from '../outcomes.ts';
import { unproven } from '../probing.ts';
import type { Proof, ProvenRepository, RepositoryOptions, SampleItem } from '../proofs.ts';
import { createGithubApi, type GithubApi } from './api.ts';
import { parseRepository } from './parse-repository.ts';
import { repositoryPath } from './run.ts';

const SAMPLE = 10;

export async function probeRepository(
  ctx: AdapterContext,
  coordinate: string,
  options: RepositoryOptions = {},
): Promise<Proof<ProvenRepository>> {
  const api = createGithubApi(ctx, []);
  const answer = await api.get({ target: repositoryPath({ coordinate }), read: PROVEN_REPOSITORY });
  if (answer.kind === 'failure') return unproven(answer.failure);
  const facts = answer.kind === 'read' ? answer.value : null;
  if (!facts) return { verdict: 'unreachable', reason: 'malformed' };
  // Our token may have access to private repositories, which count as missing.
  if (facts.isPrivate) return { verdict: 'refused', reason: 'private' };
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

export function parseProvenRepository(json: unknown) {
  const facts = parseRepository(json);
  return facts && { ...facts, isPrivate: (json as { private?: unknown }).private === true };
}

const PROVEN_REPOSITORY = jsonReader(import.meta.url, parseProvenRepository);

const profile = z.object({ blog: z.string().nullish() });

async function ownerSite(api: GithubApi, fullName: string): Promise<string | null> {
  const owner = encodeURIComponent(fullName.split('/', 1)[0] ?? '');
  const answer = await api.get({ target: `/users/${owner}`, read: OWNER_SITE });
  return answer.kind === 'read' ? answer.value : null;
}

export function parseOwnerSite(json: unknown): string | null {
  return profile.safeParse(json).data?.blog || null;
}

const OWNER_SITE = jsonReader(import.meta.url, parseOwnerSite);

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
  const releases = await api.get({ target: `${path}/releases?per_page=${SAMPLE}`, read: RELEASE_SAMPLES });
  if (releases.kind === 'read' && releases.value.length > 0) return releases.value;
  const tags = await api.get({ target: `${path}/tags?per_page=${SAMPLE}`, read: TAG_SAMPLES });
  if (tags.kind === 'read' && tags.value.length > 0) return tags.value;
  return changelogItems(ctx, fullName);
}

export function parseReleaseSamples(json: unknown): SampleItem[] {
  const published = entriesOf(json, release).filter(({ draft }) => !draft);
  return published.map(({ tag_name: version, name, html_url, published_at }) => ({
    title: name || version,
    version,
    url: html_url ?? null,
    publishedAt: published_at ? new Date(published_at).toISOString() : null,
  }));
}

const RELEASE_SAMPLES = jsonReader(import.meta.url, parseReleaseSamples);

export function parseTagSamples(json: unknown): SampleItem[] {
  return entriesOf(json, tag).map(({ name }) => ({ title: name, version: name, url: null, publishedAt: null }));
}

const TAG_SAMPLES = jsonReader(import.meta.url, parseTagSamples);

// None of a document that is no listing.
function entriesOf<T extends z.ZodType>(json: unknown, shape: T): z.output<T>[] {
  if (!Array.isArray(json) || json.length > MAX_ENTRIES) return [];
  return json.flatMap((entry) => {
    const { success, data } = shape.safeParse(entry);
    return success ? [data] : [];
  });
}

async function changelogItems(ctx: AdapterContext, fullName: string): Promise<SampleItem[]> {
  const answer = await ctx.fetch({ url: `${ctx.settings.githubRawUrl}/${fullName}/HEAD/CHANGELOG.md` });
  if (fetchFailureOf(answer, ctx.now) !== null || !answer.ok) return [];
  const { body } = answer;
  return readDocument(SAMPLING, { body, names: fullName.split('/'), now: ctx.now }, body.length);
}

export function sampleOfChangelog({ body, ...options }: ChangelogOptions & { body: Uint8Array }): SampleItem[] {
  return parseChangelog(new TextDecoder().decode(body), options)
    .slice(0, SAMPLE)
    .map(({ title, version, date }) => ({ title, version, url: null, publishedAt: date?.at ?? null }));
}

const SAMPLING = threadTask(import.meta.url, sampleOfChangelog);
