// The texts that stand for things when meanings are compared. Whatever changes them is a new recipe.
import { hash } from 'node:crypto';
import { significantWords } from '../coverage/title-words.ts';
import { plainText } from '../notes/index.ts';
import { contentTier } from './content-tier.ts';

export const RECIPE = 1;

const BODY_CHARS = 1_000;
// A model reads no more than about this; the rest of a section has chunks of its own.
const CHUNK_CHARS = 2_000;
const NEWEST_TITLES = 10;
const TITLE_CHARS = 300;
const DESCRIPTION_CHARS = 500;
const TELLING_TITLE = 3;

export interface ReleaseTexts {
  title: string;
  version: string | null;
  summary: string;
  content: string;
}

/** Null for a release that says nothing, neither in its body nor in its title. */
export function releaseText({ title, version, summary, content }: ReleaseTexts): string | null {
  if (contentTier(content) === 'empty' && !tells(title, version)) return null;
  return joined([title.slice(0, TITLE_CHARS), version, summary, plainText(content, BODY_CHARS)]);
}

function tells(title: string, version: string | null): boolean {
  const versions = version === null ? [] : [version];
  return significantWords(title, { names: [], versions }).length >= TELLING_TITLE;
}

/** Headings from the outermost to the nearest. */
export function chunkText({ headings, content }: { headings: readonly string[]; content: string }): string | null {
  return joined([headings.join(' / '), plainText(content, CHUNK_CHARS)]);
}

export interface EntityTexts {
  name: string;
  description: string | null;
  kind: string | null;
  category: string | null;
  // Newest first.
  titles: readonly string[];
}

export function entityText({ name, description, kind, category, titles }: EntityTexts): string | null {
  const newest = titles.slice(0, NEWEST_TITLES).map((title) => title.slice(0, TITLE_CHARS));
  return joined([name, description?.slice(0, DESCRIPTION_CHARS) ?? null, kind, category, ...newest]);
}

function joined(parts: readonly (string | null)[]): string | null {
  const text = parts.filter(Boolean).join('\n').trim();
  return text === '' ? null : text;
}

export function textHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
