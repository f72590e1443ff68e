// Turns rows of releases into the input of the rules for overviews and summaries.

import type { SummarizedRelease } from '../domain/summaries/statements.ts';
import type { SourceInOrg } from '../entities/resolve.ts';
import type { ReleaseRow } from '../store/schema/releases.ts';

export const SUMMARIZED_COLUMNS = [
  'id',
  'title',
  'content',
  'version',
  'breaking',
  'importance',
  'published_at',
] as const satisfies readonly (keyof ReleaseRow)[];

type SummarizedRow = Pick<ReleaseRow, (typeof SUMMARIZED_COLUMNS)[number]>;

export function toSummarized({ published_at, ...row }: SummarizedRow, names: readonly string[]): SummarizedRelease {
  return { ...row, feedAt: published_at ?? '', names };
}

export function namesOf({ org, product, source }: SourceInOrg): string[] {
  return [org?.name, product?.name, source.name].flatMap((name) => name ?? []);
}
