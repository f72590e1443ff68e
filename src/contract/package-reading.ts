// What an operator sees of package registries: which are asked, what they answer, and which packages fail.
import { z } from 'zod';
import { LISTING_OUTCOMES } from '../domain/published-package.ts';
import { field } from './fields.ts';
import { count, pageOf, rowsOf } from './pagination.ts';
import { timestamp } from './scalars.ts';

const REGISTRY_ORIGINS = ['built_in', 'environment', 'operator', 'removed'] as const;

const outcome = z
  .enum(LISTING_OUTCOMES)
  .describe(
    'What the last reading gave: `listed` and `unpublished` are what the registry says, the others are failures.',
  );
const reason = z
  .string()
  .nullable()
  .meta({ description: 'Why it failed, or what could not be read beside the versions.', example: null });

export const packageRegistry = z
  .object({
    scope: z.string().nullable().describe('The scope whose packages it has; null for all other names.'),
    ecosystem: field.ecosystem,
    url: z.string().meta({
      description: 'Address of the package registry; empty where it was removed.',
      example: 'https://acme.example/changelog',
    }),
    origin: z.enum(REGISTRY_ORIGINS).meta({
      description:
        'Where it is named: in the program, in the environment, or by an operator; `removed` where the registry is gone and its scope is still private.',
      example: 'operator',
    }),
    private: z.boolean().describe('Whether only machine tokens and admitted accounts see its packages.'),
    hasToken: z.boolean().describe('Whether a token goes with each request. Its value is never shown.'),
    tokenHint: z.string().nullable().describe('Last characters of the token; null where there is none or it is short.'),
    packages: count.describe('Packages of it that are known here.'),
    failing: count.describe('Those of them whose last reading failed.'),
    outcome: outcome.nullable().describe('What the last reading gave; null: nothing was read.'),
    reason,
    failingSince: timestamp.nullable().describe('Since when that reading fails; null: it does not.'),
    answeredAt: timestamp.nullable().describe('When it last listed a package or said that nothing has changed.'),
    accounts: z
      .array(z.string())
      .describe('Accounts that may see its packages, by confirmed mail address, else by id.'),
  })
  .meta({ id: 'PackageRegistry' });

export const packageRegistries = z.object({ items: rowsOf(packageRegistry) }).meta({ id: 'PackageRegistries' });

export const packageRegistryInput = z
  .strictObject({
    scope: z.string().min(2).max(102).describe('The scope with its `@`, in lower case.'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .meta({ description: 'Address of the package registry.', example: 'https://acme.example/changelog' }),
    token: z
      .string()
      .min(1)
      .max(4096)
      .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
      .nullable()
      .optional()
      .meta({
        description: 'Read access is enough. Absent: the stored one stays while the address stays; null removes it.',
        example: 'relk_Zk1WqPd4_8QmZ1KdXwRv2BnYc8LhA7',
      }),
    accounts: z
      .array(z.string().min(3).max(254))
      .max(500)
      .optional()
      .describe('Accounts that may see its packages, by confirmed mail address or id; absent: as before.'),
  })
  .meta({ id: 'PackageRegistryInput' });

export const packageReading = z
  .object({
    ecosystem: field.ecosystem,
    name: field.packageName,
    registry: z.string().nullable().describe('Scope of the private registry that has it; null for the public one.'),
    outcome,
    reason,
    failingSince: timestamp.nullable().describe('Since when readings fail; null: they do not.'),
    listedAt: timestamp.nullable().describe('When a whole listing was stored or confirmed last; null: never.'),
    checkedAt: timestamp.nullable().describe('When the registry was asked last; null: never.'),
    nextReadAt: timestamp.nullable().describe('When it is asked again; null: nobody wants to know.'),
    latest: z.string().nullable().describe('The version that an installation without a version gets.'),
    versions: count.describe('Published versions that are stored.'),
  })
  .meta({ id: 'PackageReading' });

export const packageReadings = pageOf(packageReading)
  .extend({
    totals: z
      .object({
        known: count.describe('Packages that are read by the clock.'),
        listed: count.describe('Packages with a listing of the last 14 days.'),
        failing: count.describe('Packages whose last reading failed.'),
        neverRead: count.describe('Known packages that were not read yet.'),
      })
      .describe('Figures over all packages, whatever is asked for.'),
  })
  .meta({ id: 'PackageReadings' });

export const packageReadRequest = z
  .strictObject({ ecosystem: field.ecosystem, name: field.packageName.trim().min(1).max(214) })
  .meta({ id: 'PackageReadRequest' });

export type PackageRegistry = z.infer<typeof packageRegistry>;
export type PackageRegistries = z.infer<typeof packageRegistries>;
export type PackageRegistryInput = z.output<typeof packageRegistryInput>;
export type PackageReading = z.infer<typeof packageReading>;
export type PackageReadings = z.infer<typeof packageReadings>;
