// The addresses of the API reference: its first page, a page for each group of calls, and one for each schema.
export const REFERENCE_PATH = '/v1/docs';
export const SCHEMAS_PATH = `${REFERENCE_PATH}/schemas`;

// The groups of calls in the order of the reference: first what most readers come for.
export const GROUPS: readonly string[] = [
  'Releases',
  'Upgrades',
  'Search',
  'Orgs',
  'Products',
  'Sources',
  'Packages',
  'Lookups',
  'Collections',
  'Taxonomy',
  'Overviews',
  'Summaries',
  'Activity',
  'Registry',
  'Account',
  'Account webhooks',
  'Stacks',
  'Bots',
  'Feedback',
  'Ingest',
  'Webhooks',
  'Tokens',
  'OAuth apps',
  'Administration',
  'Machine descriptions',
];

export function groupSlug(tag: string): string {
  return tag.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

export function groupPath(tag: string): string {
  return `${REFERENCE_PATH}/${groupSlug(tag)}`;
}

export function schemaPath(name: string): string {
  return `${SCHEMAS_PATH}/${encodeURIComponent(name)}`;
}

export function callAnchor(operationId: string): string {
  return `call-${operationId.toLowerCase()}`;
}
