// The package map: which source has the releases of a package of a package registry.
import { z } from 'zod';
import { ECOSYSTEMS } from './enums.ts';
import { pageOf } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const PACKAGE_ORIGINS = ['operator', 'ingest'] as const;

export const packageEntry = z
  .object({
    id: z.string(),
    ecosystem: z.enum(ECOSYSTEMS),
    name: z.string(),
    sourceId: z.string(),
    sourceSlug: z.string(),
    orgSlug: z.string().nullable(),
    packagePart: z.string().nullable(),
    origin: z.enum(PACKAGE_ORIGINS),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'PackageEntry' });

export const packageList = pageOf(packageEntry).meta({ id: 'PackageList' });

export const packageInput = z
  .strictObject({
    ecosystem: z.enum(ECOSYSTEMS),
    name: z.string().min(1).max(214),
    sourceId: z.string().min(1),
    packagePart: z.string().min(1).max(214).nullable().optional(),
  })
  .meta({ id: 'PackageInput' });

export type PackageOrigin = (typeof PACKAGE_ORIGINS)[number];
export type PackageEntry = z.infer<typeof packageEntry>;
export type PackageInput = z.output<typeof packageInput>;
