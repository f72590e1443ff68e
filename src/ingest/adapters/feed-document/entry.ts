// An entry of a feed in the form that all formats share, before it becomes an item.
import type { FeedType } from '../../../contract/enums.ts';
import type { MediaCandidate } from '../../../domain/html/media.ts';

export interface Body {
  text: string;
  // `html`: certainly markup; `text`: certainly none; `either`: the text itself shows it.
  kind: 'html' | 'text' | 'either';
}

export interface FeedEntry {
  title: Body | null;
  // Addresses as written, best first.
  addresses: string[];
  guid: string | null;
  // The guid may serve as an address.
  guidIsAddress: boolean;
  bodies: Body[];
  // Texts of dates, best first.
  published: string[];
  updated: string[];
  categories: string[];
  media: MediaCandidate[];
  xmlBase: string | null;
  // Fields of single providers, for the adapters that know them.
  extra: Readonly<Record<string, string>>;
}

export interface FeedDocument {
  feedType: FeedType;
  title: string | null;
  // The page that the feed belongs to, as written.
  siteUrl: string | null;
  entries: FeedEntry[];
  // The text ends before the document does.
  cutOff: boolean;
  notes: string[];
}

// The texts that say something, each once.
export function texts(...values: (string | null | undefined)[]): string[] {
  return [...new Set(values.map((value) => value?.trim() ?? '').filter((value) => value !== ''))];
}
