// What changed between two versions of a package.
import { z } from 'zod';
import { UPGRADE_ECOSYSTEMS } from '../domain/ecosystems/index.ts';
import { JUDGEMENTS, WITNESSES } from '../domain/upgrade/judgement.ts';
import { MAX_WITHOUT_NOTES } from '../domain/upgrade/published.ts';
import { MAX_STEPS } from '../domain/upgrade/steps/merge-steps.ts';
import { STEP_KINDS } from '../domain/upgrade/steps/read-step.ts';
import { breaking } from './enums.ts';
import { entryEvidence, rangeEvidence } from './evidence.ts';
import { field, idOf } from './fields.ts';
import { sourceOfPackage } from './package.ts';
import { readingState } from './reading.ts';
import { composition } from './release.ts';
import { apiError, sampleId, timestamp } from './scalars.ts';

export { UPGRADE_ECOSYSTEMS };

const UPGRADE_REASONS = [
  'not_tracked',
  'ambiguous',
  'no_releases',
  'same_version',
  'history_ends',
  'history_begins',
  'history_gap',
  'up_to_date',
  'no_entries_in_range',
] as const;
const UPGRADE_REASON_DETAILS = ['not_mapped', 'ecosystem_required', 'package_required'] as const;
export const MAX_BATCH_ITEMS = 100;
export const MAX_QUERY_CHARACTERS = 200;
export const MAX_OMITTED_BREAKS = 100;

const count = z.int().min(0);

const upgradeSource = sourceOfPackage
  .extend({
    latestVersion: field.latestVersion.nullable(),
    lastFetchedAt: field.lastFetchedAt.nullable(),
  })
  .meta({ id: 'UpgradeSource' });

const byVersion = z.literal('version').optional().meta({
  description: 'The verdict rests on the number of the version alone: its notes say nothing of what breaks.',
});

const upgradeEntry = z
  .object({
    id: field.id,
    version: field.version.nullable(),
    publishedAt: field.publishedAt.nullable(),
    title: field.title,
    summary: field.summary,
    excerpt: z.string().optional().meta({ description: 'The beginning of the text, where there is no summary.' }),
    breaking,
    judgedBy: byVersion,
    migrationNotes: field.migrationNotes.nullable(),
    importance: field.importance.min(1).max(5).nullable(),
    security: field.security,
    prerelease: field.prerelease,
    composition: composition.nullable(),
    coveredBy: z.string().optional().meta({ description: 'The release of the same push whose note stands here.' }),
    withdrawn: z.literal(true).optional().meta({
      description:
        'Its author has taken this version back, or its registry no longer has it; what it changed stays part of the range.',
    }),
    evidence: entryEvidence
      .optional()
      .meta({ description: 'What the package of this version shows against the one before; absent: not compared.' }),
    url: field.url.nullable(),
    webUrl: field.webUrl,
  })
  .meta({ id: 'UpgradeEntry' });

const omittedBreak = z
  .object({
    id: field.id,
    version: field.version.nullable(),
    breaking,
    title: field.title,
    step: z.string().nullable().meta({ description: 'The first line of the migration notes.' }),
    prerelease: z.literal(true).optional().meta({ description: 'A pre-release, which the entries leave out.' }),
    judgedBy: byVersion,
  })
  .meta({ id: 'OmittedBreak' });

const otherMatch = z
  .object({
    ecosystem: z.enum(UPGRADE_ECOSYSTEMS).meta({ description: 'Package ecosystem.', example: 'npm' }),
    package: field.package,
    sourceSlug: field.sourceSlug,
    orgSlug: field.orgSlug.nullable(),
  })
  .meta({ id: 'OtherMatch' });

const upgradeHistory = z
  .object({
    lowest: z.string().nullable().meta({ description: 'The lowest stored version of the package.' }),
    highest: z.string().nullable().meta({ description: 'The highest stored version of the package.' }),
    checkedAt: timestamp.nullable().meta({
      description: 'When the source was last read, or last written by an operator; null: never.',
    }),
    tracked: z.boolean().meta({ description: 'The source will be checked again by itself.' }),
    complete: z
      .boolean()
      .meta({ description: 'False: versions of the range may be missing; reason and hint say why.' }),
    published: count.nullable().meta({
      description:
        'Versions of the range that the package registry lists; null while no listing of the last 14 days is known.',
    }),
    withoutNotes: z.array(z.string()).max(MAX_WITHOUT_NOTES).meta({
      description: 'Published versions of the range that no release with text tells of, ascending, the first 50.',
    }),
    withoutNotesCount: count.meta({ description: 'How many published versions of the range have no notes here.' }),
  })
  .meta({ id: 'UpgradeHistory' });

const upgradeStep = z
  .object({
    kind: z.enum(STEP_KINDS).meta({
      description:
        'What kind of work it is: a newer runtime, a package beside this one, a new name, something gone, a setting, a program that does the work, or a change by hand.',
    }),
    text: z
      .string()
      .meta({ description: 'The words of the notes, or what the package shows; code is between backticks.' }),
    versions: z.array(z.string()).meta({
      description:
        'The versions that ask for it, oldest first; empty when the package shows it for the whole range alone.',
    }),
    releaseIds: z.array(z.string()).meta({ description: 'Their releases.', example: [sampleId('rel')] }),
    from: z.enum(['notes', 'package']).meta({
      description: 'Who tells of it: the notes, or the published package itself.',
    }),
  })
  .meta({ id: 'UpgradeStep' });

const advisoriesOfVersion = z
  .object({
    problems: z
      .array(
        z.object({
          id: z.string().meta({ description: 'The name by which it is best known.', example: 'GHSA-zzzz-0001' }),
          aliases: z.array(z.string()).meta({ description: 'Its other names.' }),
          summary: z.string().nullable().meta({ description: 'In the words of the advisory: the text of a stranger.' }),
        }),
      )
      .meta({
        description: 'What covers the version, each problem once. Empty: none of the imported advisories does.',
      }),
    undecided: z.array(z.string()).meta({
      description: 'Advisories whose ranges cannot be put in order with the version.',
    }),
    smallest: z.string().nullable().meta({
      description:
        'The smallest stable version above it that no imported advisory covers; null: none that is listed, or none is needed.',
    }),
    smallestInLine: z.string().nullable().meta({
      description: 'The same on its own line: the same major, and below 1.0 the same minor.',
    }),
    listed: z.boolean().meta({ description: 'Versions of the package are known; without them no smallest one is.' }),
    importedAt: timestamp.meta({ description: 'When the advisories of this ecosystem were imported.' }),
  })
  .meta({ id: 'VersionAdvisories' });

const answerKeys = {
  status: z.enum(['resolved', 'unknown']).describe('Whether the range could be answered; `reason` says why not.'),
  package: field.package,
  ecosystem: z.enum(UPGRADE_ECOSYSTEMS).nullable().meta({ description: 'Package ecosystem.', example: 'npm' }),
  from: z.string().meta({ description: '`from` as it was sent.', example: '1.0.0' }),
  to: z.string().meta({ description: '`to` as it was sent.', example: 'latest' }),
  fromVersion: z
    .string()
    .nullable()
    .meta({ description: 'The stored version that `from` was understood as; null: none.', example: 'v1.0.0' }),
  toVersion: z
    .string()
    .nullable()
    .meta({ description: 'The stored version that `to` was understood as; null: none.', example: 'v2.0.0' }),
  source: upgradeSource.nullable().describe('The source.'),
  matchedBy: z
    .enum(['id', 'package_map', 'slug', 'coordinate'])
    .nullable()
    .meta({ description: 'The rule by which the source was found.' }),
  alsoMatches: z.array(otherMatch).min(1).optional().meta({
    description: 'Packages of the same name that belong to another source; give their ecosystem to ask for one.',
  }),
  entries: z.array(upgradeEntry).describe('Releases of the range, oldest first.'),
  count: count.meta({ description: 'Entries in this answer.' }),
  total: count.meta({ description: 'Releases in the range.' }),
  summary: z
    .object({
      breaking: z
        .object({
          major: count.describe('Releases that break existing use.'),
          minor: count.describe('Releases with small breaks.'),
          none: count.describe('Releases that break nothing.'),
          unknown: count.describe('Releases whose text does not say.'),
        })
        .describe('Releases of the range by verdict.'),
      firstBreaking: z
        .string()
        .nullable()
        .describe('Lowest version of the range that breaks something; null: none is known.'),
      unnoted: count.meta({ description: 'Published versions without notes, which no verdict counts.' }),
      security: count.meta({
        description: 'Releases of the whole range that repair a security problem, listed or left out.',
      }),
    })
    .describe('The verdicts of the range in figures.'),
  worst: breaking.nullable().meta({ description: 'At least unknown while history.complete is false.' }),
  judgement: z.enum(JUDGEMENTS).nullable().meta({
    description:
      'The answer in one word, by the notes and by what the published packages show; null where both bounds are the same version or nothing newer is known.',
  }),
  judgedBy: z.array(z.enum(WITNESSES)).meta({
    description:
      'Which witnesses were heard. `version`: a major verdict rests on the number alone; `notes` beside it only where another one rests on words. Packages are compared for npm alone, and not with `EVIDENCE=off`: there `no_sign` is by the notes alone.',
  }),
  undocumented: z.boolean().meta({
    description:
      'The package proves a break in a version whose own note was read and judged, and no note of the range speaks of a break.',
  }),
  steps: z.array(upgradeStep).max(MAX_STEPS).meta({
    description: 'What the reader has to do for the whole range, each thing once, oldest first.',
  }),
  moreSteps: count.optional().meta({ description: 'How many further steps there are.' }),
  omittedPrereleases: count.describe(
    'Prereleases of the range that were left out; their breaks and steps count all the same.',
  ),
  history: upgradeHistory.optional().meta({
    description: 'How far the stored versions reach; on every resolved answer, and on others whose package is listed.',
  }),
  evidence: rangeEvidence.optional().meta({
    description: 'What the published packages themselves show, for npm packages. `worst` stays what the notes say.',
  }),
  advisories: advisoriesOfVersion.optional().meta({
    description:
      'Imported advisories on the version `from`. Absent where no advisory data of the ecosystem is imported, or where the version is not named: that says nothing.',
  }),
  reading: readingState.optional().meta({
    description:
      'What is being read because of such a question; absent when nothing is missing. The answer itself fetches nothing.',
  }),
  truncated: field.truncated,
  omitted: count.optional().describe('Releases of the range that did not fit the budget.'),
  tokenBudget: count.optional().describe('Budget of the answer in tokens.'),
  truncatedAtTokens: count.optional().describe('Tokens that the answer holds.'),
  omittedBreaking: z.array(omittedBreak).max(MAX_OMITTED_BREAKS).optional().meta({
    description: 'The breaking releases among those left out, oldest first; also pre-releases that are not listed.',
  }),
  continue: z
    .object({
      from: z.string().meta({ description: '`from` of the next call.', example: '1.0.0' }),
      to: z.string().meta({ description: '`to` of the next call.', example: 'latest' }),
      include_prereleases: z.literal(true).optional().describe('Send it along when present.'),
    })
    .optional()
    .meta({ description: 'The call for the older part that was left out.' }),
  reason: z.enum(UPGRADE_REASONS).optional().describe('Why the answer is unknown, empty or incomplete.'),
  reasonDetail: z.enum(UPGRADE_REASON_DETAILS).optional().describe('More about the reason.'),
  hint: z.string().optional().describe('What to do next, in words.'),
  packages: z.array(z.string()).max(20).optional().describe('Packages of the source; name one of them.'),
  suggestions: z
    .array(z.string())
    .max(5)
    .optional()
    .describe(
      'Names that are spelled alike, the closest first: packages as `npm:name` and slugs of sources. Each is a `package` to ask for without `ecosystem`.',
    ),
  candidates: z
    .array(z.object({ orgSlug: field.orgSlug.nullable(), sourceSlug: field.sourceSlug, id: idOf('src') }))
    .max(20)
    .optional()
    .describe('Sources that the name could mean; name one of their ids.'),
};

export const whatsChangedAnswer = z.object(answerKeys).meta({ id: 'WhatsChanged' });

const requested = field.package.min(1).max(MAX_QUERY_CHARACTERS);

export const whatsChangedBatchInput = z
  .object({
    items: z
      .array(
        z.object({
          package: requested,
          ecosystem: z.enum(UPGRADE_ECOSYSTEMS).optional().meta({ description: 'Package ecosystem.', example: 'npm' }),
          from: requested.meta({ description: 'Version in use, or a range.', example: '1.0.0' }),
          to: requested.meta({
            description: 'Version to go to, or a tag of the package, such as `latest` or `next`.',
            example: 'latest',
          }),
        }),
      )
      .min(1)
      .max(MAX_BATCH_ITEMS)
      .describe('The questions.'),
  })
  .meta({ id: 'WhatsChangedBatchInput' });

export const whatsChangedBatch = z
  .object({
    items: z
      .array(
        z.union([
          z.object({ index: field.index.min(0), ...answerKeys }),
          z.object({ index: field.index.min(0), error: apiError }),
        ]),
      )
      .describe('An answer to each question, in their order.'),
    truncated: field.truncated,
  })
  .meta({ id: 'WhatsChangedBatch' });

export type VersionAdvisories = z.infer<typeof advisoriesOfVersion>;
export type UpgradeStep = z.infer<typeof upgradeStep>;
export type UpgradeSource = z.infer<typeof upgradeSource>;
export type UpgradeHistory = z.infer<typeof upgradeHistory>;
export type UpgradeEntry = z.infer<typeof upgradeEntry>;
export type OtherMatch = z.infer<typeof otherMatch>;
export type OmittedBreak = z.infer<typeof omittedBreak>;
export type WhatsChanged = z.infer<typeof whatsChangedAnswer>;
export type WhatsChangedBatch = z.infer<typeof whatsChangedBatch>;
export type UpgradeReasonDetail = (typeof UPGRADE_REASON_DETAILS)[number];
