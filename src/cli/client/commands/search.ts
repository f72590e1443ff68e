import type { SearchAnswer } from '../../../contract/search.ts';
import { choiceFlag, countFlag, EXIT, textFlag } from '../../command.ts';
import { clientCommand } from '../client-command.ts';
import type { Column } from '../table.ts';
import { day, openName, scoped } from '../views.ts';

const TYPES = ['packages', 'orgs', 'products', 'sources', 'collections', 'releases', 'changelogs'] as const;
type HitType = (typeof TYPES)[number];

interface SearchHit {
  type: HitType;
  name: string;
  version: string | null;
  date: string | null;
  text: string;
  id: string | null;
}

const COLUMNS: readonly Column<SearchHit>[] = [
  { title: 'TYPE', value: ({ type }) => type.replace(/s$/, '') },
  { title: 'WHERE', value: openNameOf, tableOnly: true, opens: true },
  { title: 'WHERE', value: ({ name }) => name, plainOnly: true },
  { title: 'VERSION', value: ({ version }) => version, plainOnly: true },
  { title: 'PUBLISHED', value: ({ date }) => date, short: ({ date }) => day(date) },
  { title: 'TEXT', value: ({ text }) => text, flexible: true },
  { title: 'ID', value: ({ id }) => id, ifRoom: true },
];

// A release, and a section of a changelog that belongs to one, is opened by its version.
function openNameOf({ type, name, version, id }: SearchHit): string {
  return type === 'releases' || (type === 'changelogs' && id !== null) ? openName(name, { version, id }) : name;
}

function unknownIn({ _meta: { search } }: SearchAnswer): string {
  const words = search.unknownWords ?? [];
  return words.length === 0 ? '' : `; no release and no changelog holds ${words.map((word) => `"${word}"`).join(', ')}`;
}

const LIST: Record<HitType, keyof SearchAnswer> = {
  packages: 'packages',
  orgs: 'orgs',
  products: 'catalog',
  sources: 'sources',
  collections: 'collections',
  releases: 'releases',
  changelogs: 'chunks',
};

export const searchCommands = [
  clientCommand({
    name: 'search',
    summary: 'Find packages, orgs, products, sources, collections, releases and parts of changelog files',
    arguments: [{ name: 'query', help: 'words to look for', many: true }],
    flags: {
      type: { type: 'string', choices: TYPES, help: 'only hits of this type' },
      org: { type: 'string', value: 'org', complete: 'org', help: 'only releases of this org' },
      since: { type: 'string', value: 'date', help: 'only releases since then: 30d, 6m or 2026-01-31' },
      until: { type: 'string', value: 'date', help: 'only releases up to then' },
      mode: { type: 'string', choices: ['lexical', 'semantic', 'hybrid'], help: 'by words, by meaning or both' },
      limit: { type: 'string', value: 'n', help: 'releases and passages on a page; 20 unless given' },
      offset: { type: 'string', value: 'n', help: 'leave out so many of them' },
    },
    hasMarkdown: true,
    examples: ['registry search websocket reconnect', 'registry search "memory leak" --org acme --since 6m --json'],
    async run({ list, flags, api, output }) {
      const query = {
        q: list.join(' '),
        org: textFlag(flags, 'org'),
        since: textFlag(flags, 'since'),
        until: textFlag(flags, 'until'),
        mode: textFlag(flags, 'mode'),
        limit: countFlag(flags, 'limit', { most: 100 }),
        offset: countFlag(flags, 'offset', { most: 1000, least: 0 }),
      };
      if (output.mode === 'markdown') {
        output.text(await api.markdown('/v1/search', query));
        return EXIT.ok;
      }
      const type = choiceFlag(flags, 'type', TYPES);
      const answer = narrowed(await api.get<SearchAnswer>('/v1/search', query), type);
      if (output.mode === 'json') {
        output.json(answer);
        return EXIT.ok;
      }
      const hits = hitsOf(answer);
      output.rows(COLUMNS, hits);
      output.openHint(COLUMNS, hits);
      if (hits.length === 0) output.note(`nothing was found for "${query.q}"${unknownIn(answer)}`);
      if (answer.orgStatus === 'not_found') output.note(`there is no org "${answer.org}"`);
      if (answer.degraded) output.note('the search by meaning was not available; these are matches of words');
      const { search } = answer._meta;
      if (search.hitCap) output.note(`there is more: --offset ${search.offset + search.returned}`);
      return EXIT.ok;
    },
  }),
];

// With a type the other lists are empty, so that the shape of the output stays the same.
function narrowed(answer: SearchAnswer, type: HitType | undefined): SearchAnswer {
  if (type === undefined) return answer;
  const emptied = TYPES.filter((one) => one !== type).map((one) => [LIST[one], []]);
  const catalog = answer.catalog.filter(({ entryType }) => entryType === 'product');
  return { ...answer, ...(type === 'products' ? { catalog } : {}), ...Object.fromEntries(emptied) };
}

// Servers of before do not answer packages.
function hitsOf({
  packages = [],
  orgs,
  catalog,
  sources,
  collections,
  releases,
  chunks = [],
}: SearchAnswer): SearchHit[] {
  const named = { version: null, date: null };
  return [
    ...packages.map(({ ecosystem, name, latest }) => ({
      ...named,
      type: 'packages' as const,
      name,
      text: latest === null ? ecosystem : `${ecosystem}, latest ${latest}`,
      id: null,
    })),
    ...orgs.map((hit) => ({ ...named, type: 'orgs' as const, name: hit.slug, text: hit.name, id: hit.id })),
    ...catalog
      .filter(({ entryType }) => entryType === 'product')
      .map((hit) => ({
        ...named,
        type: 'products' as const,
        name: scoped(hit.orgSlug, hit.slug),
        text: hit.name,
        id: hit.id,
      })),
    ...sources.map((hit) => ({
      ...named,
      type: 'sources' as const,
      name: scoped(hit.orgSlug, hit.slug),
      text: hit.name,
      id: hit.id,
    })),
    ...collections.map((hit) => ({ ...named, type: 'collections' as const, name: hit.slug, text: hit.name, id: null })),
    ...releases.map((hit) => ({
      type: 'releases' as const,
      name: scoped(hit.orgSlug, hit.sourceSlug),
      version: hit.version,
      date: hit.publishedAt,
      text: hit.titleGenerated || hit.title,
      id: hit.id,
    })),
    ...chunks.map((hit) => ({
      type: 'changelogs' as const,
      name: scoped(hit.orgSlug, hit.sourceSlug),
      version: hit.version,
      date: null,
      text: `${hit.filePath} at ${hit.offset}: ${hit.heading ?? hit.snippet}`,
      id: hit.releaseId,
    })),
  ];
}
