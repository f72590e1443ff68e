// The package map: which source has the releases of a package of a package registry.
import { z } from 'zod';
import { LISTING_OUTCOMES } from '../domain/published-package.ts';
import { MODULE_FORMS } from '../domain/registries/package-facts.ts';
import { breaking, sourceType } from './enums.ts';
import { field, idOf, sourceNamed, sourceUrl } from './fields.ts';
import { count, pageOf } from './pagination.ts';
import { readingState } from './reading.ts';
import { sampleId, timestamp } from './scalars.ts';

export const PACKAGE_ORIGINS = ['operator', 'ingest'] as const;

export const packageEntry = z
  .object({
    id: idOf('pkg'),
    ecosystem: field.ecosystem,
    name: field.packageName,
    sourceId: field.sourceId,
    sourceSlug: field.sourceSlug,
    orgSlug: field.orgSlug.nullable(),
    packagePart: field.packagePart.nullable(),
    origin: z.enum(PACKAGE_ORIGINS).meta({ description: 'Where the entry comes from.', example: 'operator' }),
    createdAt: field.createdAt,
    updatedAt: field.updatedAt,
  })
  .meta({ id: 'PackageEntry' });

export const packageList = pageOf(packageEntry).meta({ id: 'PackageList' });

export const packageInput = z
  .strictObject({
    ecosystem: field.ecosystem,
    name: field.packageName.min(1).max(214),
    sourceId: field.sourceId.min(1),
    packagePart: field.packagePart.min(1).max(214).nullable().optional(),
  })
  .meta({ id: 'PackageInput' });

// The source that tells about a package.
export const sourceOfPackage = z.object({
  sourceId: field.sourceId,
  sourceSlug: field.sourceSlug,
  orgSlug: field.orgSlug.nullable(),
  name: sourceNamed.name,
  type: sourceType,
  url: sourceUrl,
});

const packageSource = sourceOfPackage.meta({ id: 'PackageSource' });

const packageManifest = z
  .object({
    description: z.string().nullable().meta({ description: 'What its author says it is.' }),
    needs: z
      .string()
      .nullable()
      .meta({ description: 'Versions of Node, or of Python, that it needs.', example: '>=20' }),
    module: z.enum(MODULE_FORMS).nullable().meta({ description: 'How its code is loaded.' }),
    hasTypes: z.boolean().nullable().meta({ description: 'Whether it names declarations of its own.' }),
    unpackedBytes: count.nullable().meta({ description: 'Size of its files once it is installed.' }),
    fileCount: count.nullable().meta({ description: 'Number of its files.' }),
    dependencies: count.nullable().meta({ description: 'How many packages it depends on.' }),
    peers: z.array(z.string()).meta({ description: 'Packages that have to be installed beside it.' }),
    license: z.string().nullable().meta({ description: 'Its licence, as it writes it.' }),
  })
  .meta({ id: 'PackageManifest' });

// A package as its registry lists it, with what is stored of it here.
export const packageDetail = z
  .object({
    ecosystem: field.ecosystem,
    name: field.packageName,
    latest: z
      .string()
      .nullable()
      .meta({ description: 'The version that an installation gets; null while none is known.' }),
    versions: z
      .object({
        published: count
          .nullable()
          .meta({ description: 'Versions that the package registry lists; null: never listed.' }),
        noted: count.meta({ description: 'Versions for which a release with text is stored.' }),
        withdrawn: count.meta({ description: 'Versions that were yanked, unpublished or taken back.' }),
      })
      .meta({ description: 'How many versions are known.' }),
    deprecated: z
      .string()
      .nullable()
      .meta({ description: 'What the registry says about the latest version, if it is deprecated.' }),
    source: packageSource.nullable().meta({ description: 'The source whose releases tell about the package.' }),
    checkedAt: timestamp.nullable().meta({ description: 'When its registry was last asked; null: never.' }),
    outcome: z.enum(LISTING_OUTCOMES).meta({ description: 'How the last reading of its registry went.' }),
    manifest: packageManifest
      .optional()
      .meta({ description: 'What the manifest of the latest version says; absent while it was not read.' }),
    reading: readingState.optional().meta({
      description: 'What is being read because of this question; absent when nothing is missing.',
    }),
  })
  .meta({ id: 'PackageDetail' });

const packageVersion = z
  .object({
    version: field.version,
    publishedAt: field.publishedAt.nullable(),
    withdrawn: z.boolean().meta({ description: 'Yanked, unpublished or taken back by its author.' }),
    deprecated: z
      .string()
      .nullable()
      .meta({ description: 'What the registry says about this version, if it is deprecated.' }),
    releaseId: z
      .string()
      .nullable()
      .meta({ description: 'The stored release of this version; null: there is none.', example: sampleId('rel') }),
    breaking: breaking
      .nullable()
      .meta({ description: 'The verdict of its notes; null: no release is stored.', example: 'major' }),
  })
  .meta({ id: 'PackageVersion' });

export const packageVersionList = pageOf(packageVersion).meta({ id: 'PackageVersionList' });

export type PackageDetail = z.infer<typeof packageDetail>;
export type PackageVersion = z.infer<typeof packageVersion>;
export type PackageOrigin = (typeof PACKAGE_ORIGINS)[number];
export type PackageEntry = z.infer<typeof packageEntry>;
export type PackageInput = z.output<typeof packageInput>;
