// A video as an item: its description is the content, its poster the picture, its watch page the address.
import { absoluteUrl } from '../../../domain/html/addresses.ts';
import { linksIn } from '../../../domain/html/text.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import type { Item } from '../contract.ts';
import type { FeedEntry } from '../feed/entry.ts';
import { type EntryDate, type ItemContext, itemOf } from '../feed/item.ts';
import type { OembedFacts } from './oembed.ts';

// A picture that leads to the video, alone on its line: the poster once more.
const POSTER_LINE = /^\[?!\[(?:\\.|[^[\]\n\\]){0,500}\]\([^()\s]{0,2048}\)(?:\]\([^()\s]{0,2048}\))?$/gm;

export function videoItem(includeShorts: boolean) {
  return (entry: FeedEntry, context: ItemContext, date: EntryDate): Item | null => {
    const item = itemOf(entry, context, date);
    if (item === null || item.url === null || (!includeShorts && isShort(item.url))) return null;
    const description = entry.extra['media:description'];
    const content = tidyMarkdown(description ?? item.content.replace(POSTER_LINE, ''));
    const poster = absoluteUrl(entry.media.at(-1)?.url, context.base) ?? item.media?.[0]?.url ?? null;
    const facts: OembedFacts = { poster, title: null, seconds: null };
    return withFacts({ ...item, content, links: linksIn(content), media: [], origin: 'video' }, facts);
  };
}

function isShort(url: string): boolean {
  return /^\/shorts\//.test(URL.parse(url)?.pathname ?? '');
}

// The poster leads to the video; how long that runs stands in its text.
export function withFacts(item: Item, { poster, seconds }: OembedFacts): Item {
  const known = item.media?.[0]?.url ?? poster;
  if (!known || item.url === null) return item;
  const alt = seconds === null ? item.title : `${item.title} (${runningTime(seconds)})`;
  return { ...item, media: [{ type: 'image', url: known, alt, linkUrl: item.url }] };
}

export function runningTime(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
