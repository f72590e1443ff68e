// Completes the names in templates of resources and in prompts: slugs that begin with what is typed.
import type { RegistryApi } from './registry-api.ts';

type Completion = {
  values: string[];
  hasMore: boolean;
};

const MAX_VALUES = 100;
const READ = 100;
const MAX_LENGTH = 300;

type Complete = (api: RegistryApi, typed: string, others: Readonly<Record<string, string>>) => Promise<string[]>;

const COMPLETIONS: Readonly<Record<string, Complete>> = {
  org: async (api, typed) => {
    const query = { ...(typed ? { q: typed } : {}), limit: READ, includeEmpty: true };
    return (await api.get('/orgs', { query })).items.map(({ slug }) => slug);
  },
  product: async (api, typed, { org }) => (await catalogOf(api, typed, org)).products,
  source: async (api, typed, { org }) => (await catalogOf(api, typed, org)).sources,
  collection: async (api) => (await api.get('/collections', { query: { limit: READ } })).items.map(({ slug }) => slug),
  release: async (api) =>
    (await api.get('/releases/latest', { query: { count: READ, include_content: false } })).releases.map(
      ({ id }) => id,
    ),
};

// Of an org that is known by another argument, or as org/slug, of the org before the slash.
async function catalogOf(api: RegistryApi, typed: string, given: string | undefined) {
  const [before = '', after] = typed.split('/');
  const org = given ?? (after === undefined ? '' : before);
  if (org === '') {
    const orgs = (await COMPLETIONS.org?.(api, typed, {})) ?? [];
    return { products: orgs.map((slug) => `${slug}/`), sources: orgs.map((slug) => `${slug}/`) };
  }
  const { products, sources } = await api.get('/orgs/{org}', { params: { org } });
  const prefix = given === undefined ? `${org}/` : '';
  return {
    products: products.map(({ slug }) => `${prefix}${slug}`),
    sources: sources.map(({ slug }) => `${prefix}${slug}`),
  };
}

// Nothing for what cannot be completed, or does not exist.
export async function completionOf(
  api: RegistryApi,
  { name, value }: { name: string; value: string },
  others: Readonly<Record<string, string>>,
): Promise<Completion> {
  const complete = Object.hasOwn(COMPLETIONS, name) ? COMPLETIONS[name] : undefined;
  const typed = value.slice(0, MAX_LENGTH).trim().toLowerCase();
  const found = complete ? await complete(api, typed, others).catch(() => []) : [];
  const values = [...new Set(found)].filter((one) => one.startsWith(typed)).sort();
  return { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES };
}
