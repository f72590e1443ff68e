// What the registry holds as resources: templates for its entities, each read as the text that its tool gives.
import { ProtocolError, ProtocolErrorCode, type ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Arguments, Tool } from './tool.ts';
import { getCollectionReleases } from './tools/get-collection-releases.ts';
import { getOrg } from './tools/get-org.ts';
import { getProduct } from './tools/get-product.ts';
import { getRelease } from './tools/get-release.ts';
import { getSource } from './tools/get-source.ts';

interface EntityTemplate {
  kind: string;
  variables: readonly string[];
  title: string;
  description: string;
  tool: Tool;
  arguments(values: readonly string[]): Arguments;
}

const TEMPLATES: readonly EntityTemplate[] = [
  {
    kind: 'org',
    variables: ['org'],
    title: 'Organization',
    description: 'An organization with its products and sources, by slug, id or domain.',
    tool: getOrg,
    arguments: ([org]) => ({ org }),
  },
  {
    kind: 'product',
    variables: ['org', 'product'],
    title: 'Product',
    description: 'A product of an organization.',
    tool: getProduct,
    arguments: (path) => ({ product: path.join('/') }),
  },
  {
    kind: 'source',
    variables: ['org', 'source'],
    title: 'Source',
    description: 'A source of an organization: a repository, a feed, a page or an app store.',
    tool: getSource,
    arguments: (path) => ({ source: path.join('/') }),
  },
  {
    kind: 'release',
    variables: ['release'],
    title: 'Release',
    description: 'The notes of a release, by its rel_ id.',
    tool: getRelease,
    arguments: ([release]) => ({ release }),
  },
  {
    kind: 'collection',
    variables: ['collection'],
    title: 'Collection',
    description: 'The latest releases of a collection.',
    tool: getCollectionReleases,
    arguments: ([collection]) => ({ collection }),
  },
];

const MIME = 'text/markdown';

const uriOf = ({ kind, variables }: EntityTemplate) =>
  `registry://${kind}/${variables.map((name) => `{${name}}`).join('/')}`;

export const LISTED_TEMPLATES: ResourceTemplateType[] = TEMPLATES.map((template) => ({
  uriTemplate: uriOf(template),
  name: template.kind,
  title: template.title,
  description: template.description,
  mimeType: MIME,
}));

// The call of a tool that reads a resource.
export function readingOf(uri: string): { tool: Tool; given: Arguments } {
  const [, kind, path] = /^registry:\/\/([a-z]+)\/(.+)$/.exec(uri.slice(0, 2000)) ?? [];
  const template = TEMPLATES.find((one) => one.kind === kind);
  const values = (path ?? '').split('/').map(decoded);
  if (!template || values.length !== template.variables.length || values.includes('')) throw unknownResource(uri);
  return { tool: template.tool, given: template.arguments(values) };
}

function unknownResource(uri: string): ProtocolError {
  const known = TEMPLATES.map(uriOf).join(', ');
  const message = `no resource ${uri.slice(0, 200)}; there are ${known}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export function resourceContents(uri: string, text: string) {
  return { contents: [{ uri, mimeType: MIME, text }] };
}
