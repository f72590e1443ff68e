// Turns rows of releases into the input of the digest rules.
import type { SourceInOrg } from '../catalog/resolve.ts';
import type { DigestRelease } from '../domain/digest/statements.ts';
import type { ReleaseRow } from '../store/schema/releases.ts';

export const DIGEST_COLUMNS = [
  'id',
  'title',
  'content',
  'version',
  'breaking',
  'importance',
  'published_at',
] as const satisfies readonly (keyof ReleaseRow)[];

type DigestRow = Pick<ReleaseRow, (typeof DIGEST_COLUMNS)[number]>;

export function digestRelease({ published_at, ...row }: DigestRow, names: readonly string[]): DigestRelease {
  return { ...row, feedAt: published_at ?? '', names };
}

export function namesOf({ org, product, source }: SourceInOrg): string[] {
  return [org?.name, product?.name, source.name].flatMap((name) => name ?? []);
}
