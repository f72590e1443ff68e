// Rules that decide whether two releases of one org are about the same launch.
import { factsOf } from '../source-types.ts';
import { type CoverableRelease, compareCanonical, timeApart, WINDOW_MS } from './release.ts';
import { mentions, significantWords, type TitleContext, titleScore, wordsOf } from './title-words.ts';

export interface PairMatch {
  reason: string;
  score: number;
}

interface PairInfo {
  orgName: string;
  // The releases of the org that the body of each one links to, where it was read.
  linksTo: (id: string) => ReadonlySet<string>;
}

const MIN_WORDS = 3;
const MIN_SCORE = 0.6;
// With fewer shared words the score cannot be reached.
const MIN_SHARED = 2;

// The rule by which two releases belong together; null when none does. A shared version or a link is certain; for titles the
// score says how certain it is.
export function pairReleases(a: CoverableRelease, b: CoverableRelease, facts: PairInfo): PairMatch | null {
  if (!mayPair(a, b)) return null;
  if (sameVersion(a, b)) return { reason: `version:${versionOf(a, b)}`, score: 1 };
  if (linksOnlyTo(a, b, facts) || linksOnlyTo(b, a, facts)) return { reason: 'link', score: 1 };
  const score = sameTitle(a, b, facts.orgName);
  return score === null ? null : { reason: `title:${score.toFixed(2)}`, score };
}

// Pairs by meaning: nearly the same text, and titles that share a significant word.
export function pairByVector(
  a: CoverableRelease,
  b: CoverableRelease,
  { cosine, least, orgName }: { cosine: number; least: number; orgName: string },
): PairMatch | null {
  if (cosine < least || !sharesWord(a, b, orgName)) return null;
  return { reason: `vector:${cosine.toFixed(2)}`, score: cosine };
}

// Whether two titles share a significant word, without which comparing their vectors is not worth the cost.
export function sharesWord(a: CoverableRelease, b: CoverableRelease, orgName: string): boolean {
  if (!mayPair(a, b) || titleWords(a).isDisjointFrom(titleWords(b))) return false;
  const context = titleContext(a, b, orgName);
  const words = new Set(significantWords(a.title, context));
  return significantWords(b.title, context).some((word) => words.has(word));
}

// Whether two releases can be in one cluster at all.
export function mayPair(a: CoverableRelease, b: CoverableRelease): boolean {
  if (a.source.id === b.source.id || timeApart(a, b) > WINDOW_MS || a.type !== b.type) return false;
  if (a.product && b.product && a.product.id !== b.product.id) return false;
  if (a.source.type !== b.source.type) return true;
  const { sharesLaunchesWith } = factsOf(a.source.type);
  if (sharesLaunchesWith === 'no source') return false;
  return sharesLaunchesWith === 'any source' || a.source.repository === b.source.repository;
}

// The version as the canonical release writes it.
function versionOf(a: CoverableRelease, b: CoverableRelease): string {
  const text = (compareCanonical(a, b) <= 0 ? a : b).versionText ?? '';
  return text.replace(/^v(?=\d)/i, '');
}

function sameVersion(a: CoverableRelease, b: CoverableRelease): boolean {
  if (a.version === null || a.version !== b.version || !samePackage(a, b)) return false;
  if (a.product && b.product) return true;
  return isNamedBy(a, b) || isNamedBy(b, a);
}

// A release of one package pairs only with releases that name the package.
function samePackage(a: CoverableRelease, b: CoverableRelease): boolean {
  if (a.packagePart === b.packagePart) return true;
  if (a.packagePart !== null && b.packagePart !== null) return false;
  const [part, other] = a.packagePart === null ? [b.packagePart, a] : [a.packagePart, b];
  return mentions(other.title, (part ?? '').replace(/^@[^/]+\//, ''));
}

function isNamedBy({ product, source }: CoverableRelease, other: CoverableRelease): boolean {
  const names = [product?.name, source.repository?.split('/').at(-1), source.name];
  const texts = [other.title, other.source.name];
  return names.some((name) => name !== undefined && texts.some((text) => mentions(text, name)));
}

function linksOnlyTo(from: CoverableRelease, to: CoverableRelease, { linksTo }: PairInfo): boolean {
  const targets = linksTo(from.id);
  return targets.size === 1 && targets.has(to.id);
}

function sameTitle(a: CoverableRelease, b: CoverableRelease, orgName: string): number | null {
  if (titleWords(a).intersection(titleWords(b)).size < MIN_SHARED) return null;
  const context = titleContext(a, b, orgName);
  const first = significantWords(a.title, context);
  const second = significantWords(b.title, context);
  if (new Set(first).size < MIN_WORDS || new Set(second).size < MIN_WORDS) return null;
  const score = titleScore(first, second);
  return score >= MIN_SCORE ? score : null;
}

function titleContext(a: CoverableRelease, b: CoverableRelease, orgName: string): TitleContext {
  const names = [orgName, a.product?.name, b.product?.name, a.source.name, b.source.name];
  return {
    names: names.filter((name) => name !== undefined),
    versions: [a.versionText, b.versionText].filter((text) => text !== null),
  };
}

const WORDS = new WeakMap<CoverableRelease, ReadonlySet<string>>();

// Cached, because most pairs share no word and are compared many times.
function titleWords(release: CoverableRelease): ReadonlySet<string> {
  const known = WORDS.get(release);
  if (known) return known;
  const words = new Set(wordsOf(release.title.toLowerCase()));
  WORDS.set(release, words);
  return words;
}
