// The overview of an org or a product, made of sentences that releases themselves hold.
import { cleanItem } from '../notes/index.ts';
import {
  byWeight,
  packageCount,
  type Statement,
  type SummarizedRelease,
  statementsOf,
  versionMark,
} from './statements.ts';

interface OverviewGroup {
  key: string;
  // The name of the product, or of the source when it has no product.
  name: string;
  releases: readonly SummarizedRelease[];
}

export interface OverviewMaterial {
  // The name of the org or product that the text is about.
  name: string;
  windowDays: number;
  groups: readonly OverviewGroup[];
  // Counts of the whole window; the groups hold only a selection.
  total: { releases: number; breaking: number; products: number; sources: number };
}

interface OverviewCitation {
  releaseId: string;
  startIndex: number;
  endIndex: number;
  citedText: string;
}

export interface OverviewText {
  content: string;
  citations: OverviewCitation[];
}

// A paragraph before it is put into words: what it is about, and what it says.
export interface OverviewParagraph {
  name: string;
  statements: (Statement & { mark: string })[];
}

const MAX_PARAGRAPHS = 5;
const MAX_STATEMENTS = 4;
const MAX_WORDS = 300;
// A reworded statement may tell itself that something was fixed or is gone.
const TELLS_LEAD = /^(?:fix|remov|deprecat|drop)/i;

// The paragraphs of an overview; null when no release says anything that can be quoted.
export function planOverview(material: OverviewMaterial): OverviewParagraph[] | null {
  const groups = material.groups.length > 1 ? material.groups : material.groups.flatMap(byRelease);
  let words = wordCount(openingOf(material));
  const paragraphs: (OverviewParagraph & { at: string })[] = [];
  for (const group of [...groups].sort(byWeightOfGroup)) {
    if (paragraphs.length === MAX_PARAGRAPHS) break;
    const at = group.releases[0]?.feedAt ?? '';
    const paragraph: (typeof paragraphs)[number] = { name: plainName(group.name), statements: [], at };
    words += wordCount(paragraph.name);
    for (const statement of inTurn(group.releases)) {
      const cost = wordCount(statement.lead + statement.text + statement.mark);
      if (paragraph.statements.length === MAX_STATEMENTS || words + cost > MAX_WORDS) break;
      paragraph.statements.push(statement);
      words += cost;
    }
    if (paragraph.statements.length > 0) paragraphs.push(paragraph);
  }
  if (paragraphs.length === 0) return null;
  // The weightiest releases were chosen; those of one source are told newest first.
  if (material.groups.length === 1) paragraphs.sort(byNewest);
  return paragraphs.map(({ name, statements }) => ({ name, statements }));
}

// Writes the text; `reworded` may replace the words of a statement, but not its citation.
export function writeOverviewText(
  material: OverviewMaterial,
  paragraphs: readonly OverviewParagraph[],
  reworded: ReadonlyMap<Statement, string> = new Map(),
): OverviewText {
  let content = openingOf(material);
  const citations: OverviewCitation[] = [];
  for (const { name, statements } of paragraphs) {
    content += `\n\n**${name}**:`;
    for (const statement of statements) {
      const told = reworded.get(statement) ?? statement.text;
      content += TELLS_LEAD.test(told) ? ' ' : ` ${statement.lead}`;
      const startIndex = content.length;
      content += told;
      const { releaseId, citedText } = statement;
      citations.push({ releaseId, startIndex, endIndex: content.length, citedText });
      content += /[.!?]$/.test(content) && statement.mark === '' ? '' : `${statement.mark}.`;
    }
  }
  return { content, citations };
}

// Citations that do not match the text or the releases. An overview with such citations is not stored.
export function falseCitations(
  { content, citations }: OverviewText,
  releases: ReadonlyMap<string, Pick<SummarizedRelease, 'title' | 'content'>>,
  reworded = false,
): OverviewCitation[] {
  let end = 0;
  return citations.filter((citation) => {
    const { startIndex, endIndex, citedText, releaseId } = citation;
    const release = releases.get(releaseId);
    const inOrder = startIndex >= end && startIndex < endIndex && endIndex <= content.length;
    end = Math.max(end, endIndex);
    const isQuoted = reworded || content.slice(startIndex, endIndex) === cleanItem(citedText);
    const held = release !== undefined && (release.title.includes(citedText) || release.content.includes(citedText));
    return !(inOrder && isQuoted && held);
  });
}

function openingOf({ name, windowDays, total }: OverviewMaterial): string {
  const { releases, breaking, products, sources } = total;
  const across = products + sources > 1 ? ` across ${ownersOf(total)}` : '';
  return `${plainName(name)} published ${counted(releases, 'release')}${across} in the last ${windowDays} days${breaks(releases, breaking)}.`;
}

// The owners in words; `sources` counts only those without a product.
function ownersOf({ products, sources }: OverviewMaterial['total']): string {
  if (products === 0) return counted(sources, 'source');
  return `${counted(products, 'product')}${sources === 0 ? '' : ` and ${counted(sources, 'other source')}`}`;
}

function breaks(releases: number, breaking: number): string {
  if (breaking === 0) return '';
  return releases === 1 ? ', with breaking changes' : `, ${breaking} of them with breaking changes`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

// Splits the only group of an overview into one group for each release, named by its version or else by its day.
function byRelease({ key, name, releases }: OverviewGroup): OverviewGroup[] {
  const withPackage = hasPackages(releases);
  return [...releases].sort(byWeight).map((release) => ({
    key: `${key} ${release.id}`,
    name: `${name}${versionMark(release, withPackage) || dayMark(release)}`,
    releases: [release],
  }));
}

function dayMark({ feedAt }: SummarizedRelease): string {
  return feedAt === '' ? '' : ` (${feedAt.slice(0, 10)})`;
}

function hasPackages(releases: readonly SummarizedRelease[]): boolean {
  return packageCount(releases.map(({ version }) => version)) > 1;
}

type Told = OverviewParagraph & { at: string };

// Of one day the later name is the later version, as far as its numbers tell.
function byNewest(a: Told, b: Told): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return b.name.localeCompare(a.name, 'en', { numeric: true });
}

function byWeightOfGroup(a: OverviewGroup, b: OverviewGroup): number {
  const best = (group: OverviewGroup) => [...group.releases].sort(byWeight)[0];
  const [first, second] = [best(a), best(b)];
  if (first === undefined || second === undefined) return first === second ? 0 : first === undefined ? 1 : -1;
  return byWeight(first, second);
}

// Takes statements from the releases in turn, so that each contributes one before any contributes two; equal statements
// appear once.
function inTurn(releases: readonly SummarizedRelease[]): OverviewParagraph['statements'] {
  const single = releases.length === 1;
  const withPackage = hasPackages(releases);
  const queues = [...releases].sort(byWeight).map((release) =>
    statementsOf(release).map((statement) => ({
      ...statement,
      mark: single ? '' : versionMark(release, withPackage),
    })),
  );
  const seen = new Set<string>();
  const turns = Array.from({ length: MAX_STATEMENTS }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? []));
  return turns.flat().filter(({ text }) => {
    const known = seen.has(text.toLowerCase());
    seen.add(text.toLowerCase());
    return !known;
  });
}

// A name is set in emphasis, so marks of emphasis are removed from it.
function plainName(name: string): string {
  return name.replace(/[*_`[\]<>#\\\s]+/g, ' ').trim();
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
