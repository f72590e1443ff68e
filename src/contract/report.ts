// Reports with an address: what changes for the packages of a project, for whoever has the address.
import { z } from 'zod';
import { JUDGEMENTS } from '../domain/upgrade/judgement.ts';
import { PROJECT_KINDS } from '../domain/upgrade/lockfiles/upgrades.ts';
import { GROUPS } from '../domain/upgrade/report/groups.ts';
import { evidenceFinding } from './evidence.ts';
import { field } from './fields.ts';
import { count } from './pagination.ts';
import { timestamp } from './scalars.ts';

const text = z.string().optional();

export const reportInput = z
  .object({
    text: text.describe('Text of a lockfile, manifest, diff or bill of materials.'),
    filename: text.describe('Its file name, where the text does not say what it is.'),
    old_text: text.describe('Text of the older lockfile of two.'),
    new_text: text.describe('Text of the newer one.'),
    diff: text.describe('Text of a diff.'),
    read: text.describe('Packages that a client has read from the files itself, as JSON.'),
  })
  .meta({ id: 'ReportInput' });

const leftOut = z
  .object({
    private: count.describe('From a private registry, or from one that is not public.'),
    elsewhere: count.describe('From git, a folder or an archive.'),
    otherEcosystems: count.describe('Of ecosystems that are not compared here.'),
    added: count.describe('Without an earlier version.'),
    removed: count.describe('Without a later version.'),
    incomparable: count.describe('Lowered, or without a version that can be compared.'),
    omitted: count.describe('More than a report holds.'),
  })
  .describe('Packages that are counted only.');

const progress = z
  .object({
    of: count.describe('Packages of the report.'),
    known: count.describe('Those of which nothing is being read and nothing is waited for.'),
    reading: count.describe('Those that are being read, or wait for it.'),
    unseen: count.describe('Those that nobody has looked at yet.'),
    refused: count.describe('Those that are not read, because a limit is reached.'),
    now: z.array(z.string()).describe('Names of some that are being read at this moment.'),
    retryAt: timestamp.nullable().describe('When more can be read; null where no limit is reached.'),
  })
  .meta({ id: 'ListProgress' });

const reportRow = z
  .object({
    ecosystem: field.ecosystem,
    package: field.packageName,
    from: z.string().describe('Version in use.'),
    to: z.string().nullable().describe('Version that it goes to; null: not known yet.'),
    direct: z.boolean().nullable().describe('Whether the project names it; null: not told.'),
    dev: z.boolean().nullable().describe('Whether development alone needs it; null: not told.'),
    group: z.enum(GROUPS).describe('Group of the report by risk, highest first.'),
    judgement: z.enum(JUDGEMENTS).nullable().describe('The answer in one word; null where nothing newer is known.'),
    security: z
      .boolean()
      .meta({ description: 'Whether a release of the range repairs a security problem.', example: false }),
    isPending: z.boolean().describe('Whether nobody has looked at it yet.'),
    reading: z.enum(['waiting', 'running', 'refused']).nullable().describe('What is read for it; null: nothing.'),
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
  .meta({ id: 'ReportRow' });

const reportKeys = {
  id: z.string().meta({ description: 'Whoever has it may read the report.', example: '8kQm2xW7nQbXA9vY1mJm3T' }),
  webUrl: z
    .string()
    .meta({ description: 'Its page.', example: 'http://localhost:8080/reports/8kQm2xW7nQbXA9vY1mJm3T' }),
  kind: z.enum(PROJECT_KINDS).describe('What it was made from.'),
  createdAt: field.createdAt,
  expiresAt: timestamp.nullable().describe('When it goes away; null while it is kept as a stack.'),
  packageCount: count.describe('Packages in the report.'),
  leftOut,
};

const reportSummary = z.object(reportKeys).meta({ id: 'ReportSummary' });

export const newReport = reportSummary
  .extend({
    deletionToken: z
      .string()
      .meta({ description: 'Deletes the report; told once.', example: 'rdt_5Bq0Qm2xW7nQbXA9vY1mJm' }),
  })
  .meta({ id: 'NewReport' });

export const reportAnswer = reportSummary
  .extend({
    sentence: z.string().describe('The answer as a sentence.'),
    counts: z.record(z.enum(GROUPS), count).describe('Packages by group; together they are all of them.'),
    progress: progress.describe('How far the packages are read.'),
    rows: z.array(reportRow).describe('All packages, highest risk first.'),
  })
  .meta({ id: 'Report' });

export const listProgress = progress;

export type NewReport = z.output<typeof newReport>;
export type ReportSummary = z.output<typeof reportSummary>;
export type ReportAnswer = z.output<typeof reportAnswer>;
export type ReportAnswerRow = z.output<typeof reportRow>;
export type ListProgress = z.output<typeof progress>;
