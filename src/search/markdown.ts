// The answer of a search as markdown: lists of links, one line each.
import type { CatalogHit, ChunkHit, OrgHit, PackageHit, ReleaseHit, SearchAnswer } from '../contract/search.ts';
import { frontMatter } from '../domain/front-matter.ts';
import { escapedText, linkTo } from '../domain/markdown/strangers-text.ts';

const MAX_LINE_LENGTH = 200;

export function searchMarkdown(answer: SearchAnswer): string {
  const { hitCounts, degraded, mode } = answer._meta.search;
  const front = frontMatter({
    query: answer.query,
    mode: answer.mode ?? mode,
    degraded,
    packages: hitCounts.package,
    orgs: hitCounts.org,
    catalog: hitCounts.catalog,
    sources: hitCounts.source,
    collections: hitCounts.collection,
    releases: hitCounts.release,
    chunks: hitCounts.chunk,
  });
  const sections = [
    section('Packages', answer.packages.map(packageLine)),
    section('Organizations', answer.orgs.map(orgLine)),
    section('Catalog', answer.catalog.map(catalogLine)),
    section('Releases', answer.releases.map(releaseLine)),
    section('Changelog chunks', (answer.chunks ?? []).map(chunkLine)),
  ];
  return [front, ...sections.filter((text) => text !== '')].join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('')}`;
}

function packageLine({ ecosystem, name, latest, webUrl }: PackageHit): string {
  return line(name, webUrl, [ecosystem, latest && `latest ${latest}`]);
}

function orgLine({ name, slug, domain, category }: OrgHit): string {
  return line(name, `/v1/orgs/${slug}`, [domain, category]);
}

function catalogLine({ entryType, id, name, orgName, kind }: CatalogHit): string {
  return line(name, `/v1/${entryType}s/${id}`, [entryType, orgName, kind]);
}

function releaseLine({ title, webUrl, version, sourceName, publishedAt, summary, snippet }: ReleaseHit): string {
  const facts = [version === title ? null : version, sourceName, publishedAt?.slice(0, 10)];
  return line(title, webUrl, [...facts, summary || snippet]);
}

function chunkLine({ sourceId, sourceName, filePath, offset, heading, version, snippet }: ChunkHit): string {
  const path = encodeURIComponent(filePath);
  const address = `/v1/sources/${sourceId}/changelog?path=${path}&offset=${offset}`;
  return line(heading ?? filePath, address, [sourceName, version, snippet]);
}

function line(text: string, address: string, facts: readonly (string | null | undefined)[]): string {
  const shown = facts.flatMap((fact) => (fact ? plain(fact) : []));
  return `- ${linkTo(address, plain(text))}${shown.length > 0 ? `: ${shown.join(' · ')}` : ''}\n`;
}

// The text on one line, without markup or links of its own.
function plain(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const short =
    flat.length > MAX_LINE_LENGTH ? `${flat.slice(0, MAX_LINE_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : flat;
  return escapedText(short);
}
