// Statements that an overview or a summary may make about a release: its own entries and its title, each with the cited words.

import {
  cleanItem,
  informativeTitle,
  type StandaloneLead,
  sentenceSpans,
  shownVersion,
  standaloneLead,
  weightiestItems,
} from '../notes/index.ts';
import { parseVersion } from '../versions/index.ts';

export interface SummarizedRelease {
  id: string;
  title: string;
  content: string;
  version: string | null;
  breaking: string;
  importance: number | null;
  // Empty when the release is undated.
  feedAt: string;
  // Names of org, product and source, which a title may repeat.
  names: readonly string[];
}

export interface Statement {
  releaseId: string;
  // The cited text, cleaned for readers.
  text: string;
  // The words as the release has them.
  citedText: string;
  // What only the section of the entry says of it: "Fixed: ", "Removed: "; mostly empty.
  lead: string;
}

const MAX_LENGTH = 240;
const MIN_LETTERS = 8;

// The statements of a release, best first: the title when it is informative, then the most important entries.
export function statementsOf(release: SummarizedRelease): Statement[] {
  const entries = weightiestItems(release.title, release.content).map((item) => ({
    citedText: fitting(release.content.slice(item.start, item.end)),
    lead: leadOf(standaloneLead(item)),
  }));
  const ownTitle = informativeTitle(release);
  // The title without its leading names and version, as long as the rest is found in it word for word.
  const title = {
    citedText: ownTitle === null ? null : fitting(release.title.includes(ownTitle) ? ownTitle : release.title),
    lead: '',
  };
  const seen = new Set<string>();
  return [title, ...entries].flatMap(({ citedText, lead }) => {
    const text = citedText === null ? '' : cleanItem(citedText);
    if (citedText === null || !isStatement(text) || seen.has(text.toLowerCase())) return [];
    seen.add(text.toLowerCase());
    return [{ releaseId: release.id, text, citedText, lead }];
  });
}

// Without it, what a list of fixes or removals names would be told as a fact.
function leadOf(lead: StandaloneLead | null): string {
  return lead === null ? '' : `${lead}: `;
}

// The version as overviews and summaries show it, in brackets after a statement; with its package where there are several.
export function versionMark({ version }: Pick<SummarizedRelease, 'version'>, withPackage = false): string {
  if (version === null) return '';
  const name = withPackage ? packageOf(version) : '';
  return ` (${name === '' ? '' : `${name} `}${shownVersion(version)})`;
}

// How many packages the versions belong to.
export function packageCount(versions: readonly (string | null)[]): number {
  return new Set(versions.flatMap((version) => (version === null ? [] : packageOf(version)))).size;
}

function packageOf(version: string): string {
  return parseVersion(version)?.packagePart ?? '';
}

export function byWeight(a: SummarizedRelease, b: SummarizedRelease): number {
  const importance = (b.importance ?? 0) - (a.importance ?? 0);
  if (importance !== 0) return importance;
  if (a.feedAt !== b.feedAt) return a.feedAt < b.feedAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

// A long entry is cut to its first sentence.
function fitting(raw: string): string | null {
  if (cleanItem(raw).length <= MAX_LENGTH) return raw;
  const [first] = sentenceSpans(raw, 0, raw.length);
  const sentence = first ? raw.slice(first.start, first.end) : '';
  return sentence !== '' && cleanItem(sentence).length <= MAX_LENGTH ? sentence : null;
}

// Whether a text is a single line with at least some words.
function isStatement(text: string): boolean {
  return !/[\r\n\u2028\u2029]/.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS;
}
