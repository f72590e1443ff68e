// GitHub as far as the adapter knows it, on the loopback: paging with `Link`, ETags, quota headers. Tests change its
// state between polls and read what was asked.
import { createHash } from 'node:crypto';
import type { Answer, OutsideWorld, SeenRequest } from '../../../../test/support/outside-world.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import type { AdapterContext, AdapterInput, AdapterResult, StoredChangelog } from '../contract.ts';

export const COORDINATE = 'acme/engine';

interface FakeRelease {
  id: number;
  tag_name: string;
  name?: string | null;
  body?: string | null;
  draft?: boolean;
  prerelease?: boolean;
  html_url?: string;
  published_at?: string | null;
  created_at?: string;
}

export interface FakeGithub {
  releases: FakeRelease[];
  tags: { name: string; commit: { sha: string } }[];
  repository: Record<string, unknown>;
  pageSize: number;
  // Sent with every answer of the API.
  quota: Record<string, string>;
  // Path below `/repos/acme/engine` (with query, or without) to an answer that stands in for the usual one.
  instead: Map<string, Answer>;
  paths(): string[];
}

const ROOT = `/repos/${COORDINATE}`;

export function release(number: number, more: Partial<FakeRelease> = {}): FakeRelease {
  const tag = `v1.${number}.0`;
  return {
    id: 1000 + number,
    tag_name: tag,
    name: `Engine ${tag}`,
    body: `- Change number ${number}`,
    draft: false,
    prerelease: false,
    html_url: `https://github.com/Acme/Engine/releases/tag/${tag}`,
    published_at: '2024-05-01T10:00:00Z',
    created_at: '2024-04-30T10:00:00Z',
    ...more,
  };
}

export function commitHash(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}

export function tag(name: string) {
  return { name, commit: { sha: commitHash(name) } };
}

export function serveGithub(world: OutsideWorld, initial: Partial<FakeGithub> = {}): FakeGithub {
  const github: FakeGithub = {
    releases: [],
    tags: [],
    repository: { id: 77, full_name: 'Acme/Engine', stargazers_count: 12, archived: false, fork: false },
    pageSize: 100,
    quota: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4900', 'x-ratelimit-reset': '1717246800' },
    instead: new Map(),
    paths: () => world.requests.map(({ path }) => path),
    ...initial,
  };
  const serve = (path: string, rows: () => unknown) => {
    world.route(ROOT + path, (request) => {
      const requested = request.path.slice(ROOT.length);
      const other = github.instead.get(requested) ?? github.instead.get(requested.split('?', 1)[0] ?? '');
      return withQuota(github, other ?? answerOf(world, github, request, rows()));
    });
  };
  serve('', () => github.repository);
  serve('/releases', () => github.releases);
  serve('/tags', () => github.tags);
  return github;
}

function withQuota(github: FakeGithub, answer: Answer): Answer {
  return { ...answer, headers: { ...github.quota, ...answer.headers } };
}

function answerOf(world: OutsideWorld, github: FakeGithub, request: SeenRequest, rows: unknown): Answer {
  const url = new URL(request.path, world.url);
  const page = Number(url.searchParams.get('page') ?? 1);
  const shown = Array.isArray(rows) ? rows.slice((page - 1) * github.pageSize, page * github.pageSize) : rows;
  const body = JSON.stringify(shown);
  const etag = `W/"${createHash('sha1').update(body).digest('hex')}"`;
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  const more = Array.isArray(rows) && rows.length > page * github.pageSize;
  url.searchParams.set('page', String(page + 1));
  const link = more ? { link: `<${url.href}>; rel="next", <${world.url}/last>; rel="last"` } : undefined;
  return { headers: { 'content-type': 'application/json', etag, ...link }, body };
}

// A row as it is stored for a repository that was polled an hour ago.
export function githubSource(more: Partial<SourceRow> = {}): SourceRow {
  return {
    id: 'src_engine',
    name: 'Engine',
    type: 'github',
    url: `https://github.com/${COORDINATE}`,
    github_coordinate: COORDINATE,
    github_id: 77,
    former_coordinates: '[]',
    is_fork: 0,
    settings: '{}',
    fetch_priority: 'normal',
    stars: 12,
    stars_fetched_at: '2024-06-01T11:00:00.000Z',
    ...more,
  } as SourceRow;
}

export function githubInput(more: Partial<AdapterInput> = {}): AdapterInput {
  return {
    source: githubSource(),
    names: ['Acme', 'Engine'],
    validators: [],
    known: { guids: new Set(), urls: new Set(), count: 0 },
    firstFetch: false,
    backfill: null,
    ...more,
  };
}

// What the next run is given when everything of this one was stored.
export function remembered(input: AdapterInput, result: AdapterResult): AdapterInput {
  const validators = new Map([...input.validators, ...result.validators].map((one) => [one.endpoint, one]));
  const guids = [...input.known.guids, ...result.items.flatMap(({ guid }) => guid ?? [])];
  const urls = [...input.known.urls, ...result.items.flatMap(({ url }) => url ?? [])];
  const withdrawn = new Set([...(input.known.withdrawn ?? []), ...(result.withdrawn ?? [])]);
  for (const guid of result.restored ?? []) withdrawn.delete(guid);
  return {
    ...input,
    source: { ...input.source, ...result.sourceChanges },
    validators: [...validators.values()],
    memory: { ...input.memory, ...result.memory },
    known: {
      guids: new Set(guids),
      urls: new Set(urls),
      count: input.known.count + result.items.length,
      withdrawn,
    },
    firstFetch: false,
  };
}

export function withToken(world: OutsideWorld, token: string | null = 'test-token', now?: Date): AdapterContext {
  const context = world.context(now ? { now } : {});
  return { ...context, settings: { ...context.settings, githubToken: token } };
}

export function changelogInput(fingerprint: string, content: string, path = 'CHANGELOG.md') {
  const url = `https://github.com/${COORDINATE}/blob/HEAD/${path}`;
  const file: StoredChangelog = { path, url, content, canonical: true };
  return { fingerprint, read: async () => [file] };
}
