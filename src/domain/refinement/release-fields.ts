// Decides which fields of a model's answer may replace those made by rule. Each field is accepted or refused alone.
import { informativeTitle, readBody } from '../notes/index.ts';
import type { Composition } from '../notes/types.ts';
import { isQuoteOf, unsupportedClaims } from './faithful.ts';

export interface RefinedFields {
  summary?: string;
  titleShort?: string;
  titleGenerated?: string;
  breaking?: 'none' | 'minor' | 'major';
  migrationNotes?: string;
  importance?: number;
  composition?: Composition;
}

export interface RefinedRelease {
  title: string;
  content: string;
  version: string | null;
  // The names of org, product and source, which the note itself may not mention.
  names: readonly string[];
  composition: Composition | null;
  // The stored verdict, which stays when the model's verdict is refused.
  breaking: string;
}

// The answer of the model before any check.
type ModelReading = Readonly<Record<string, unknown>>;

export const MAX_REFINED_BODY_LENGTH = 50_000;

const MAX_LENGTHS = { summary: 280, titleShort: 70, titleGenerated: 100, migrationNotes: 1500 } as const;
const VERDICTS = ['none', 'minor', 'major'] as const;

export function acceptedFields(release: RefinedRelease, reading: ModelReading): RefinedFields {
  const breaking = acceptedVerdict(release, reading);
  return {
    ...acceptedText(release, reading, 'summary'),
    ...acceptedText(release, reading, 'titleShort'),
    // An informative title needs no generated one.
    ...(informativeTitle(release) === null ? acceptedText(release, reading, 'titleGenerated') : {}),
    ...(breaking === null ? {} : { breaking }),
    ...acceptedMigration(release, reading, breaking ?? release.breaking),
    ...acceptedImportance(reading),
    ...acceptedComposition(release, reading),
  };
}

type RefinedTextField = keyof typeof MAX_LENGTHS;

function acceptedText(release: RefinedRelease, reading: ModelReading, field: RefinedTextField): RefinedFields {
  const value = reading[field];
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  if (text === '' || text.length > MAX_LENGTHS[field]) return {};
  const sources = [release.title, release.content, release.version ?? '', ...release.names];
  return unsupportedClaims(text, sources).length === 0 ? { [field]: text } : {};
}

function acceptedVerdict({ content }: RefinedRelease, reading: ModelReading): 'none' | 'minor' | 'major' | null {
  const verdict = VERDICTS.find((one) => one === reading.breaking);
  if (verdict === undefined || !isBacked(reading.breakingQuote, content)) return null;
  // A section on breaking changes outweighs a model that finds none.
  return verdict === 'none' && hasBreakingSection(content) ? null : verdict;
}

function hasBreakingSection(content: string): boolean {
  return readBody(content).sections.some(
    (section) => section.filled && (section.class === 'breaking' || section.class === 'removed'),
  );
}

// Migration notes are accepted only when the body contains each of their lines unchanged.
function acceptedMigration({ content }: RefinedRelease, reading: ModelReading, verdict: string): RefinedFields {
  const { migrationNotes } = reading;
  if (typeof migrationNotes !== 'string' || (verdict !== 'minor' && verdict !== 'major')) return {};
  const text = migrationNotes.trim();
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const verbatim = lines.length > 0 && lines.every((line) => content.includes(line.trim()));
  const backed = isBacked(reading.migrationQuote ?? text, content);
  return verbatim && backed && text.length <= MAX_LENGTHS.migrationNotes ? { migrationNotes: text } : {};
}

function acceptedImportance({ importance }: ModelReading): RefinedFields {
  return Number.isInteger(importance) && Number(importance) >= 1 && Number(importance) <= 5
    ? { importance: Number(importance) }
    : {};
}

// The model may classify items differently, but the total must stay the same.
function acceptedComposition(release: RefinedRelease, { composition }: ModelReading): RefinedFields {
  if (typeof composition !== 'object' || composition === null || release.composition === null) return {};
  const { bugs, features, enhancements } = composition as Record<string, unknown>;
  const counts = [bugs, features, enhancements];
  if (!counts.every((count): count is number => Number.isInteger(count) && Number(count) >= 0)) return {};
  const total = counts.reduce((sum, count) => sum + count, 0);
  const known = release.composition.bugs + release.composition.features + release.composition.enhancements;
  return total === known ? { composition: { bugs, features, enhancements } as Composition } : {};
}

function isBacked(quote: unknown, content: string): boolean {
  return typeof quote === 'string' && isQuoteOf(quote, content);
}
