// Requests every public read of the OpenAPI document for existing entities: two registries with the same responses have
// the same data.
import assert from 'node:assert/strict';
import type { Client } from './client.ts';

interface Operation {
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean }[];
}

// Streams, routes that are not about data, and routes with a secret in their path.
const LEFT_OUT = new Set([
  '/v1/releases/stream',
  '/v1/openapi.json',
  '/v1',
  '/v1/feed/{token}',
  '/v1/feed/stack/{token}',
  // Each has its own id, which only those know who have asked.
  '/v1/readings/{id}',
  '/v1/readings/{id}/events',
  '/v1/reports/{id}',
  '/v1/reports/{id}/progress',
]);

interface Owner {
  org: string;
  product: string;
  prod: string;
  source: string;
  src: string;
  rel: string;
  col: string;
  category: string;
  tag: string;
  domain: string;
  coordinate: string;
  ecosystem: string;
  // Of a package name that is written with a plain slash.
  scope: string;
  name: string;
}

const QUERIES: Record<string, (owner: Owner) => string[]> = {
  '/v1/search': () => ['q=faster', 'q=replica+promote', 'q=breaking&limit=50'],
  '/v1/ask': ({ name }) => [`q=${encodeURIComponent(name)}`],
  '/v1/search/releases': () => ['q=export&limit=50'],
  '/v1/related/releases': ({ rel }) => [`release=${rel}`],
  '/v1/related/sources': ({ src }) => [`source=${src}`],
  '/v1/lookups/by-domain': ({ domain }) => [`domain=${domain}`],
  '/v1/lookups/source-by-slug': ({ source }) => [`slug=${source}`],
  '/v1/lookups/product-by-slug': ({ product }) => [`slug=${product}`],
  '/v1/lookups/source-by-coordinate': ({ coordinate }) => [`coordinate=${coordinate}`],
  '/v1/lookups/package': ({ ecosystem, name }) => [`ecosystem=${ecosystem}&name=${encodeURIComponent(name)}`],
  '/v1/whats-changed': ({ ecosystem, name }) => [
    `ecosystem=${ecosystem}&package=${encodeURIComponent(name)}&from=0.0.1&to=latest`,
  ],
  '/v1/packages/{ecosystem}/{name}/compare': () => ['from=0.0.1&to=0.0.2'],
  '/v1/packages/{ecosystem}/{scope}/{name}/compare': () => ['from=0.0.1&to=0.0.2'],
  '/v1/orgs/{org}/recent-releases': () => ['since=2026-01-01'],
  '/v1/sources/{src}/recent-releases': () => ['cutoff=2026-01-01'],
  '/v1/orgs/{org}/sources/{source}/recent-releases': () => ['cutoff=2026-01-01'],
  '/v1/releases/latest': () => ['', 'count=100&include_coverage=true&include_prereleases=true', 'breaking=major'],
  '/v1/orgs': () => ['', 'includeEmpty=true&limit=100'],
  '/v1/sources': () => ['limit=100', 'limit=100&page=2'],
};

// The URLs of all public reads, for two entities of each kind.
export async function publicReads(client: Client): Promise<string[]> {
  const document = (await client.get('/v1/openapi.json')).body as { paths: Record<string, Record<string, Operation>> };
  const owners = await ownersIn(client);
  assert.ok(owners.length > 0, 'there is an org with a product, a source and releases');
  const reads = new Set<string>();
  for (const [path, { get }] of Object.entries(document.paths)) {
    const isPublic = get?.security?.some((one) => Object.keys(one).length === 0);
    if (!get || !isPublic || LEFT_OUT.has(path) || path.startsWith('/v1/docs')) continue;
    const needsQuery = get.parameters?.some((one) => one.in === 'query' && one.required);
    assert.ok(!needsQuery || QUERIES[path], `${path} needs a query here`);
    for (const owner of owners) {
      for (const query of QUERIES[path]?.(owner) ?? ['']) reads.add(filled(path, owner) + (query ? `?${query}` : ''));
    }
  }
  return [...reads];
}

function filled(path: string, owner: Owner): string {
  const slug = path.startsWith('/v1/categories')
    ? owner.category
    : path.startsWith('/v1/tags')
      ? owner.tag
      : owner.source;
  const [scope, bare = owner.name] = owner.name.split('/');
  const named: Record<string, string> = path.includes('{scope}') ? { scope: scope ?? owner.name, name: bare } : {};
  // Questions of bots name a package and two versions by parts of their address.
  const asked = { datasource: owner.ecosystem, package: owner.name, from: '0.0.1', to: '0.0.2' };
  const values: Record<string, string> = { ...owner, slug, ...named, ...asked };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    assert.ok(value, `${path} has a parameter that is not known here`);
    return encodeURIComponent(value);
  });
}

async function ownersIn(client: Client): Promise<Owner[]> {
  const items = async (path: string) => (await client.get(`/v1${path}`)).body.items ?? [];
  const [collection] = await items('/collections');
  const [tag] = await items('/tags');
  const packages = await items('/packages?limit=2');
  const sources = await items('/sources?limit=100');
  const owners: Owner[] = [];
  for (const org of await items('/orgs?limit=100')) {
    const [product] = await items(`/orgs/${org.slug}/products`);
    const source = sources.find((one: { orgSlug: string; releaseCount: number }) => one.orgSlug === org.slug);
    const { releases = [] } = (await client.get(`/v1/orgs/${org.slug}/releases`)).body;
    if (!product || !source || !releases[0]) continue;
    const pack = packages[owners.length % Math.max(1, packages.length)] ?? { ecosystem: 'npm', name: 'nobody' };
    owners.push({
      org: org.slug,
      product: product.slug,
      prod: product.id,
      source: source.slug,
      src: source.id,
      rel: releases[0].id,
      col: collection?.slug ?? 'none',
      category: org.category ?? 'ai',
      tag: tag?.slug ?? 'none',
      domain: org.domain ?? 'nobody.example',
      coordinate: 'nobody/nothing',
      ecosystem: pack.ecosystem,
      scope: '@nobody',
      name: pack.name,
    });
    if (owners.length === 2) break;
  }
  return owners;
}

export async function answersOf(client: Client, reads: readonly string[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const read of reads) {
    const { status, text } = await client.get(read);
    answers.set(read, `${status} ${text}`);
  }
  return answers;
}

// Compares call by call; of a long response only the part around the first difference is shown.
export function assertSameAnswers(actual: Map<string, string>, expected: Map<string, string>): void {
  assert.deepEqual([...actual.keys()], [...expected.keys()]);
  for (const [read, answer] of expected) {
    const given = actual.get(read) ?? '';
    if (given === answer) continue;
    const at = [...answer].findIndex((character, index) => given[index] !== character);
    const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200);
    assert.fail(`${read}\n  expected …${around(answer)}…\n  given …${around(given)}…`);
  }
}
