// Stacks: the packages that a project runs on.
import { z } from 'zod';
import { isPossibleName } from '../domain/published-package.ts';
import { JUDGEMENTS } from '../domain/upgrade/judgement.ts';
import { GROUPS } from '../domain/upgrade/report/groups.ts';
import { evidenceFinding } from './evidence.ts';
import { field } from './fields.ts';
import { count } from './pagination.ts';
import { listProgress } from './report.ts';
import { timestamp } from './scalars.ts';

export const MAX_STACKS = 20;
export const MAX_STACK_PACKAGES = 5000;
export const STACK_BODY_LIMIT = 1024 * 1024;

export const stackName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/, 'must be 1 to 64 letters, digits and dashes')
  .meta({ description: 'Name of the stack: letters, digits and dashes.' });

const stackPackage = z
  .object({
    ecosystem: field.ecosystem,
    package: field.packageName.min(1).max(214),
    version: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'Installed version, or the range of a manifest.', example: 'v2.0.0' }),
  })
  .refine(({ ecosystem, package: name }) => isPossibleName(ecosystem, name.trim()), {
    path: ['package'],
    message: 'no package can have this name',
  })
  .meta({ id: 'StackPackage' });

export const stackInput = z
  .object({
    packages: z
      .array(stackPackage)
      .max(MAX_STACK_PACKAGES)
      .optional()
      .describe('The whole list of packages, which replaces the one before.'),
    lockfile: z
      .string()
      .min(1)
      .optional()
      .describe('Text of a lockfile or manifest instead of the list; only names and versions of it are stored.'),
    source: z
      .string()
      .max(120)
      .nullish()
      .meta({ description: 'Name of the file that the list was made from.', example: 'acme/acme-cli' }),
  })
  .meta({ id: 'StackInput' });

const riskCounts = z
  .object({
    breaks: count.describe('Packages whose newest version breaks.'),
    mayBreak: count.describe('Packages whose newest version may break.'),
    notKnown: count.describe('Packages of which it is not known.'),
    noSign: count.describe('Packages without a sign of a break.'),
    security: count.describe('Packages whose newer versions repair a security problem, whatever else they do.'),
    upToDate: count.describe('Packages at their newest version.'),
    pending: count.describe('Packages that nobody has looked at yet.'),
    fresh: count.describe('Packages with a newer version since the last push, or since they were marked as seen.'),
  })
  .describe('Packages by what is known of their newest versions.');

export const stackSummary = z
  .object({
    name: z.string().meta({ description: 'Name of the stack.', example: 'web-shop' }),
    source: z.string().nullable().meta({
      description: 'Name of the file that the list was made from; null: not said.',
      example: 'package-lock.json',
    }),
    packageCount: count.describe('Packages in the stack.'),
    pushedAt: timestamp.describe('When the list was last pushed.'),
    pushedBy: z.enum(['key', 'owner']).describe('Whether a key pushed it, as in CI, or its owner.'),
    seenAt: timestamp.describe('Since when updates count as new: the last push, or when they were marked as seen.'),
    createdAt: field.createdAt,
    webUrl: z
      .string()
      .meta({ description: 'Page of the stack.', example: 'http://localhost:8080/account/stacks/web-shop' }),
    counts: riskCounts,
  })
  .meta({ id: 'StackSummary' });

export const stackList = z
  .object({
    stacks: z.array(stackSummary).describe('Stacks of the account, by name.'),
    limit: count.meta({ description: 'How many stacks an account may have.', example: 20 }),
  })
  .meta({ id: 'StackList' });

export const stackDetail = stackSummary
  .extend({ packages: z.array(stackPackage).describe('Packages by ecosystem, name and version.') })
  .meta({ id: 'Stack' });

const stackMark = z
  .object({
    kind: z.enum(['done', 'ignored']).describe('Whether somebody has dealt with the newest version, or looks away.'),
    reason: z.string().nullable().describe('Why it is ignored.'),
    until: z
      .string()
      .nullable()
      .meta({ description: 'Day on which ignoring ends; null: never.', example: '2027-02-01' }),
    at: timestamp.describe('When it was marked.'),
  })
  .meta({ id: 'StackMark' });

export const stackMarkInput = z
  .object({
    ecosystem: field.ecosystem,
    package: field.packageName.min(1).max(214),
    mark: z
      .enum(['done', 'ignored', 'none'])
      .describe(
        '`done`: until a newer version comes. `ignored`: until a day, with a reason. `none`: look at it again.',
      ),
    until: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2027-02-01')
      .nullish()
      .meta({ description: 'Day on which ignoring ends; null: never.', example: '2027-02-01' }),
    reason: z.string().max(300).nullish().describe('Why it is ignored; needed for that.'),
  })
  .meta({ id: 'StackMarkInput' });

const stackRow = z
  .object({
    ecosystem: field.ecosystem,
    package: field.packageName,
    installed: z.string().describe('Version in the stack.'),
    newest: z.string().nullable().describe('Newest version that is known; null: none is known.'),
    newestAt: timestamp.nullable().describe('When the newest version came; null: not known.'),
    isNew: z
      .boolean()
      .describe('Whether it was published after the last push, and after the stack was marked as seen.'),
    isPending: z.boolean().describe('Whether nobody has looked at it yet.'),
    reading: z.enum(['waiting', 'running', 'refused']).nullable().describe('What is read for it; null: nothing.'),
    mark: stackMark.nullable().describe('What the owner says of it; null: nothing.'),
    group: z.enum(GROUPS).describe('Group of the report by risk, highest first.'),
    judgement: z.enum(JUDGEMENTS).nullable().describe('The answer in one word; null where nothing newer is known.'),
    security: z
      .boolean()
      .meta({ description: 'Whether a release of the range repairs a security problem.', example: false }),
    isTracked: z.boolean().describe('Whether the notes of the package are read here.'),
    reason: z.string().describe('What breaks it, or why it is not known, in one line.'),
    undocumented: z.boolean().describe('The package proves a break, and the notes that were read do not mention it.'),
    findings: z.array(evidenceFinding).describe('First changes that the published packages show.'),
    steps: z
      .array(
        z.object({
          text: z.string().describe('What to do, in the words of the notes.'),
          versions: z.array(z.string()).describe('Versions that ask for it.'),
          from: z.enum(['notes', 'package']).describe('Who says so.'),
        }),
      )
      .describe('First steps of the whole range, oldest first.'),
    moreSteps: count.describe('How many further steps there are.'),
    webUrl: z.string().meta({
      description: 'Page with the whole range.',
      example: 'http://localhost:8080/whats-changed?package=%40acme%2Fcli',
    }),
  })
  .meta({ id: 'StackRow' });

export const stackReport = z
  .object({
    stack: stackSummary.describe('The stack.'),
    sentence: z.string().describe('The answer as a sentence.'),
    counts: riskCounts,
    progress: listProgress.describe('How far the packages are read.'),
    rows: z.array(stackRow).describe('All packages, highest risk first.'),
  })
  .meta({ id: 'StackReport' });

export type StackMark = z.output<typeof stackMark>;
export type StackMarkInput = z.output<typeof stackMarkInput>;
export type StackReport = z.output<typeof stackReport>;
export type StackReportRow = z.output<typeof stackRow>;
export type StackCounts = z.output<typeof riskCounts>;
export type StackInput = z.output<typeof stackInput>;
export type StackSummary = z.output<typeof stackSummary>;
export type StackList = z.output<typeof stackList>;
export type StackDetail = z.output<typeof stackDetail>;
