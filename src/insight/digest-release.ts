// Rows of releases as the rules of digests read them.
import type { SourceInOrg } from '../catalog/resolve.ts';
import type { DigestRelease } from '../domain/digest/statements.ts';
import type { ReleaseRow } from '../store/schema.ts';

export const DIGEST_COLUMNS = [
  'id',
  'title',
  'content',
  'version',
  'breaking',
  'importance',
  'feed_at',
] as const satisfies readonly (keyof ReleaseRow)[];

type DigestRow = Pick<ReleaseRow, (typeof DIGEST_COLUMNS)[number]>;

export function digestRelease({ feed_at, ...row }: DigestRow, names: readonly string[]): DigestRelease {
  return { ...row, feedAt: feed_at, names };
}

export function namesOf({ org, product, source }: SourceInOrg): string[] {
  return [org?.name, product?.name, source.name].flatMap((name) => name ?? []);
}
