// The entities of the registry as records: their fields, and how a record is printed.
import type { CollectionDetail } from '../../contract/collection.ts';
import type { OrgDetail } from '../../contract/org.ts';
import type { ProductDetail } from '../../contract/product.ts';
import type { ReleaseDetail } from '../../contract/release.ts';
import type { SourceDetail } from '../../contract/source.ts';
import type { Field, Output } from './output.ts';
import { scoped } from './views.ts';

export function orgFields(org: OrgDetail): Field[] {
  return [
    ['org', org.slug],
    ['name', org.name],
    ['id', org.id],
    ['domain', org.domain],
    ['category', org.category],
    ['description', org.description],
    ['status', org.status === 'stub' ? 'stub: known, but not tracked yet' : org.status],
    ['notice', org.notice?.message],
    ['releases', org.releaseCount],
    ['last 30 days', org.releasesLast30Days],
    ['last fetched', org.lastFetchedAt],
    ['releases since', org.releaseCount > 0 ? org.trackingSince : null],
    ['tag', org.tags],
    ['product', org.products.map(({ slug, name }) => `${org.slug}/${slug} (${name})`)],
    ['source', org.sources.map(({ slug, type, latestVersion }) => listed(`${org.slug}/${slug}`, type, latestVersion))],
  ];
}

export function productFields(product: ProductDetail): Field[] {
  const { orgSlug, slug } = product;
  return [
    ['product', `${orgSlug}/${slug}`],
    ['name', product.name],
    ['id', product.id],
    ['kind', product.kind],
    ['category', product.category],
    ['description', product.description],
    ['url', product.url],
    ['notice', product.notice?.message],
    ['releases', product.releaseCount],
    ['last 30 days', product.releasesLast30Days],
    ['last release', product.latestDate],
    ['tag', product.tags],
    ['source', product.sources.map((source) => listed(`${orgSlug}/${source.slug}`, source.type, null))],
  ];
}

export function sourceFields(source: SourceDetail): Field[] {
  const { fetchState } = source;
  return [
    ['source', scoped(source.orgSlug, source.slug)],
    ['name', source.name],
    ['id', source.id],
    ['type', source.type],
    ['url', source.url],
    ['product', source.productSlug && scoped(source.orgSlug, source.productSlug)],
    ['notice', source.notice?.message],
    ['releases', source.releaseCount],
    ['last 30 days', source.releasesLast30Days],
    ['latest version', source.latestVersion],
    ['latest release', source.latestDate],
    ['changelog file', source.hasChangelogFile],
    ['check state', fetchState.since === null ? fetchState.state : `${fetchState.state} since ${fetchState.since}`],
    ['last outcome', fetchState.outcome],
    ['last checked', source.lastPolledAt ?? source.lastFetchedAt],
    ['next check', fetchState.nextCheckAt],
    ['errors in a row', source.consecutiveErrors || null],
    ['releases since', source.releaseCount > 0 ? source.trackingSince : null],
  ];
}

export function releaseFields(release: ReleaseDetail): Field[] {
  return [
    ['release', release.id],
    ['title', release.titleGenerated || release.title],
    ['version', release.version],
    ['source', scoped(release.source.orgSlug, release.source.slug)],
    ['published', release.publishedAt],
    ['breaking', release.breaking],
    ['importance', release.importance],
    ['security', release.security || null],
    ['pre-release', release.prerelease || null],
    ['address', release.webUrl],
    ['original', release.url],
    ['summary', release.summary],
    ['before you upgrade', release.migrationNotes],
  ];
}

export function collectionFields(collection: CollectionDetail): Field[] {
  return [
    ['collection', collection.slug],
    ['name', collection.name],
    ['id', collection.id],
    ['description', collection.description],
    [
      'member',
      collection.members.map((one) =>
        one.kind === 'org' ? `${one.slug} (${one.name})` : `${one.org.slug}/${one.slug} (${one.name})`,
      ),
    ],
  ];
}

function listed(name: string, ...facts: (string | null)[]): string {
  return `${name} (${facts.filter(Boolean).join(', ')})`;
}

// Prints a record with its text, or the response itself with --json.
export function printRecord(
  output: Output,
  record: { answer: unknown; fields: readonly Field[]; text?: string },
): void {
  if (output.mode === 'json') {
    output.json(record.answer);
    return;
  }
  output.fields(record.fields);
  if (!record.text) return;
  output.line('');
  output.text(record.text);
}
