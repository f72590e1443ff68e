// Row types of texts that are made from releases: summaries, overviews and playbooks with their citations, and how far each pass over the releases has come.
import type { Overview, Playbook } from '../../contract/overview.ts';
import type { SummaryType } from '../../contract/summary.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface InsightTables {
  summaries: SummaryRow;
  summary_passes: SummaryPassRow;
  refinements: RefinementRow;
  derivations: DerivationRow;
  pages: PageRow;
  page_citations: PageCitationRow;
  guide_notes: GuideNoteRow;
}

export interface SummaryRow {
  id: string;
  source_id: string;
  type: SummaryType;
  year: number;
  month: number;
  // 0 for monthly rows, so that the unique key holds no null.
  window_days: number;
  summary: string;
  release_count: number;
  generated_at: string;
  // A hash of what the text was made from; the text is written again when it differs. Null when it was never compared.
  basis: string | null;
}

// When the summaries of a source were last held against its releases.
interface SummaryPassRow {
  source_id: string;
  changed_at: string;
  day: string;
}

export interface PageRow {
  id: string;
  scope: Overview['scope'] | Playbook['scope'];
  org_id: string;
  product_id: string | null;
  content: string;
  notes: string | null;
  release_count: number;
  last_contributing_release_at: string | null;
  generated_at: string;
  updated_at: string;
  // operator, rules or model.
  origin: string;
}

export interface PageCitationRow {
  id: string;
  page_id: string;
  position: number;
  source_url: string;
  title: string | null;
  release_id: string | null;
  start_index: number;
  end_index: number;
  cited_text: string;
}

// The model is asked about a release once for each of its contents.
interface RefinementRow {
  release_id: string;
  content_hash: string;
  outcome: string;
  at: string;
}

// How far the releases of a source were derived by the rules of today.
export interface DerivationRow {
  source_id: string;
  rules_version: number;
  // The greatest seq that was derived.
  derived_to: number;
  finished: Bit;
  // JSON: sentences that most releases repeat, and what the source's warning signs mean.
  habits: string;
  // Releases that the habits were counted over.
  counted: number;
  updated_at: string;
}

// The section of the repository's upgrade guide about a release; migration notes may be its beginning.
interface GuideNoteRow {
  release_id: string;
  source_id: string;
  notes: string;
  // As in releases.
  upgrade_steps: JsonText<string[]> | null;
}
