// The guides below /docs, one markdown file each. The first line is the title, the first paragraph the description.
import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { ERROR_CODES, ERROR_STATUS } from '../contract/errors.ts';

export interface Guide {
  slug: string;
  title: string;
  description: string;
  // The markdown without the title.
  body: string;
}

const SLUGS = ['api', 'errors', 'webhooks', 'feeds', 'mcp', 'cli', 'self-hosting'];

export const GUIDES: readonly Guide[] = SLUGS.map(readGuide);

function readGuide(slug: string): Guide {
  const text = readFileSync(new URL(`./guides/${slug}.md`, import.meta.url), 'utf8');
  const [heading = '', ...rest] = text.split('\n');
  const body = rest.join('\n').trim();
  const description = (body.split('\n\n', 1)[0] ?? '').replaceAll(/\s+/g, ' ');
  return { slug, title: heading.replace(/^#\s*/, ''), description, body };
}

// The text of a guide with the addresses of this registry and the table of error codes filled in.
export function guideText({ body }: Guide, { baseUrl, webUrl }: Pick<Config, 'baseUrl' | 'webUrl'>): string {
  const codes = Object.entries(ERROR_CODES).map(([code, type]) => `| \`${code}\` | ${type} | ${ERROR_STATUS[type]} |`);
  return body
    .replaceAll('{base}', baseUrl)
    .replaceAll('{web}', webUrl)
    .replaceAll('{codes}', ['| Code | Type | Status |', '| --- | --- | --- |', ...codes].join('\n'));
}
