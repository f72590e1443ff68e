// Records of what package registries list, each with all versions of its package. Packages of private registries are in
// no file.
import { z } from 'zod';
import { ECOSYSTEMS } from '../../contract/enums.ts';
import { httpUrl } from '../../contract/release-input.ts';
import { timestamp } from '../../contract/scalars.ts';
import {
  type Ecosystem,
  factsOfEcosystem,
  isEcosystem,
  normalizePackageName,
  packageKey,
} from '../../domain/ecosystems/index.ts';
import { MAX_STATEMENT_LENGTH, MAX_VERSION_LENGTH, type PackageListing } from '../../domain/published-package.ts';
import { isRecord } from '../../domain/records.ts';
import { type DistTags, readDistTags } from '../../domain/upgrade/dist-tags.ts';
import {
  nullableText,
  nullableTime,
  nullableUrl,
  oneOf,
  optionalJson,
  plainText,
  type RecordTable,
  text,
} from './columns.ts';
import type { RecordData } from './record-children.ts';

const MAX_NAME_LENGTH = 214;

export const publishedVersions = z
  .array(
    z.object({
      version: plainText(MAX_VERSION_LENGTH, 1),
      publishedAt: timestamp.nullable(),
      withdrawn: z.boolean(),
      withdrawnReason: plainText(MAX_STATEMENT_LENGTH).nullable(),
      deprecated: plainText(MAX_STATEMENT_LENGTH).nullable(),
      tarballUrl: httpUrl.nullable(),
      integrity: plainText(300).nullable(),
    }),
  )
  .refine((list) => new Set(list.map(({ version }) => version)).size === list.length, 'must name each version once');

export const LISTING_RECORDS = {
  listing: {
    table: 'package_states',
    columns: {
      id: text(plainText(MAX_NAME_LENGTH + 10, 5)),
      ecosystem: oneOf(ECOSYSTEMS),
      name: text(plainText(MAX_NAME_LENGTH, 1)),
      spelling: text(plainText(MAX_NAME_LENGTH, 1)),
      latest: nullableText(plainText(MAX_VERSION_LENGTH)),
      dist_tags: optionalJson(z.record(plainText(100, 1), plainText(MAX_VERSION_LENGTH, 1))),
      repository: nullableUrl,
      homepage: nullableUrl,
      listed_at: nullableTime,
    },
    children: { versions: publishedVersions },
  },
} satisfies Record<string, RecordTable>;

// The id of a listing is made of its name.
export function listingFault(data: RecordData, latest: string): string | null {
  const { id, listedAt, versions = [] } = data;
  const { ecosystem } = data;
  if (!isEcosystem(ecosystem)) return 'ecosystem is not known';
  const name = normalizePackageName(ecosystem, String(data.spelling));
  if (data.name !== name || id !== packageKey({ ecosystem, name })) return 'id is not that of its name';
  const times = [listedAt, ...versions.map(({ publishedAt }) => publishedAt)];
  return times.some((time) => typeof time === 'string' && time > latest) ? 'listedAt lies in the future' : null;
}

export function listingOf(data: RecordData): PackageListing {
  return {
    ecosystem: ecosystemOfListing(data),
    spelling: String(data.spelling),
    registry: null,
    latest: textOrNull(data.latest),
    tags: tagsOfListing(data),
    repository: textOrNull(data.repository),
    homepage: textOrNull(data.homepage),
    versions: data.versions ?? [],
  };
}

function tagsOfListing(data: RecordData): DistTags | undefined {
  const { distTags, versions = [] } = data;
  if (!factsOfEcosystem(ecosystemOfListing(data)).hasTags || !isRecord(distTags)) return undefined;
  const listed = new Set(versions.map(({ version }) => version));
  return readDistTags(distTags, (version) => listed.has(version));
}

// A record of another one is refused when it is read.
export function ecosystemOfListing({ ecosystem }: RecordData): Ecosystem {
  if (!isEcosystem(ecosystem)) throw new Error(`no ecosystem is called ${ecosystem}`);
  return ecosystem;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
