// What a comparison of two published packages shows.
import { z } from 'zod';
import { FINDING_KINDS, MAX_FINDINGS } from '../domain/evidence/finding.ts';
import { EVIDENCE_STATES } from '../domain/upgrade/judgement.ts';
import { field } from './fields.ts';
import { timestamp } from './scalars.ts';

export const MAX_SHOWN_FINDINGS = 20;

const count = z.int().min(0);

export const evidenceFinding = z
  .object({
    kind: z.enum(FINDING_KINDS).describe('What kind of change it is.'),
    name: z.string().meta({
      description: 'The export, member, command or field, such as `Logger.child` or `engines.node`.',
      example: 'Logger.child',
    }),
    subpath: z.string().meta({
      description: 'The entry point that has it: `.`, `./plugin`; empty for fields of package.json.',
    }),
    certainty: z.enum(['proven', 'likely']).meta({
      description:
        '`proven`: anybody can look it up in the packages. `likely`: by types, which behaviour may contradict.',
    }),
    was: z.string().nullable().meta({ description: 'What it was, in short.' }),
    is: z.string().nullable().meta({ description: 'What it is now; null when it is gone.' }),
    text: z.string().meta({ description: 'The finding as one sentence.' }),
    weight: z.int().min(0).max(100).optional().meta({
      description:
        'How near it is to what people use: 100 concerns everybody, 80 what is called, 60 members, 40 types, 20 what was told before or is inherited; 10 more where the README of the package names it.',
      example: 80,
    }),
    roads: z
      .array(
        z
          .object({
            name: z.string().meta({ description: 'The other name.', example: 'default.child' }),
            subpath: z.string().meta({ description: 'The entry point that has it.', example: '.' }),
          })
          .meta({ id: 'FindingRoad' }),
      )
      .optional()
      .describe('Other names by which the same is told.'),
    witness: z
      .object({
        code: z.string().meta({ description: 'A whole file that the older version takes.' }),
        language: z.enum(['typescript', 'javascript']).meta({ description: 'What the file is written in.' }),
        error: z.string().meta({ description: 'What the compiler says of it with the newer version.' }),
      })
      .meta({ id: 'EvidenceWitness' })
      .optional()
      .meta({ description: 'The smallest code that compiles with the older version and not with the newer one.' }),
  })
  .meta({ id: 'EvidenceFinding' });

const evidenceCounts = z
  .object({
    proven: count.meta({ description: 'Findings that the packages prove.' }),
    likely: count.meta({ description: 'Findings that types make likely.' }),
  })
  .meta({ id: 'EvidenceCounts' });
const counts = evidenceCounts.describe('Findings by how sure they are.');

const status = z.enum(EVIDENCE_STATES).meta({
  description:
    '`compared`; `no_types` (package.json and plain names were compared); `pending` (it has been ordered and comes by itself); `not_ordered`; `too_large`; `not_available` (a package cannot be had); `off` (nothing is compared here, or no package of this ecosystem).',
});

export const comparedPackages = z
  .object({
    status,
    from: z.string().meta({ description: 'The older version, as published.', example: '1.0.0' }),
    to: z.string().meta({ description: 'The newer version, as published.', example: 'latest' }),
    types: z
      .enum(['own', 'definitely_typed', 'none'])
      .nullable()
      .meta({ description: 'Whose declarations were compared; null while nothing was.' }),
    findings: z
      .array(evidenceFinding)
      .max(MAX_FINDINGS)
      .meta({ description: 'Proven ones first, then by weight, entry point and name.' }),
    more: count.meta({ description: 'How many findings were left out.' }),
    counts,
    comparedAt: timestamp.nullable().meta({ description: 'When the packages were compared.' }),
  })
  .meta({ id: 'ComparedPackages' });

export const rangeEvidence = z
  .object({
    status,
    pairs: z
      .array(
        z
          .object({
            from: z.string().meta({ description: 'The older version of the pair.', example: '1.0.0' }),
            to: z.string().meta({ description: 'The newer version of the pair.', example: 'latest' }),
            counts,
            findings: z
              .array(evidenceFinding)
              .max(MAX_FINDINGS)
              .meta({ description: 'The first 20 findings; all of them with `findings=all` and at `…/compare`.' }),
          })
          .meta({ id: 'EvidencePair' }),
      )
      .meta({
        description:
          'The pairs that were compared: the whole range first, then steps inside of it. Of very many, those that break and name the version are listed.',
      }),
    counts: evidenceCounts.describe('Of the whole range; while it is not compared, of the step with the most.'),
  })
  .meta({ id: 'RangeEvidence' });

export const entryEvidence = z.object({ counts }).meta({ id: 'EntryEvidence' });

// The work of comparing packages, for operators.
export const evidenceWork = z
  .object({
    on: z.boolean().meta({ description: 'False: `REGISTRY_EVIDENCE=off`, and nothing is downloaded.' }),
    waiting: z
      .object({
        asked: count.meta({ description: 'Pairs that somebody has asked for.' }),
        ahead: count.meta({ description: 'Newest steps of tracked packages, which nobody has asked for yet.' }),
        failing: count.meta({ description: 'Pairs among them that could not be downloaded so far.' }),
        oldestAt: timestamp.nullable().meta({ description: 'When the oldest of those asked for was ordered.' }),
      })
      .meta({ description: 'Pairs that wait to be compared.' }),
    today: z
      .object({
        bytes: count.meta({ description: 'Bytes downloaded since midnight (UTC).', example: 18_240 }),
        anonymousBytes: count.meta({ description: 'Bytes of them for callers without a credential.' }),
        limitBytes: count.meta({ description: 'Bytes that may be downloaded in a day.' }),
        pairs: count.meta({ description: 'Pairs compared since midnight (UTC).' }),
      })
      .meta({ description: 'What was done since midnight (UTC).' }),
    stored: z
      .object({
        compared: count.meta({ description: 'Pairs compared with their types.' }),
        no_types: count.meta({ description: 'Pairs without types, of which the rest was compared.' }),
        too_large: count.meta({ description: 'Pairs that met a limit.' }),
        not_available: count.meta({ description: 'Pairs of which a package cannot be had.' }),
      })
      .meta({ description: 'Stored results by the rules of today.' }),
    refused: z
      .array(
        z
          .object({
            name: field.packageName,
            from: z.string().meta({ description: 'The older version.', example: '1.0.0' }),
            to: z.string().meta({ description: 'The newer version.', example: 'latest' }),
            status: z.enum(['too_large', 'not_available']).describe('Why there is no comparison.'),
            reason: z.string().nullable().meta({ description: 'The same in words.', example: null }),
            comparedAt: timestamp.meta({ description: 'When that was found.' }),
          })
          .meta({ id: 'RefusedPair' }),
      )
      .max(10)
      .meta({ description: 'The latest pairs without a comparison.' }),
  })
  .meta({ id: 'EvidenceWork' });

export type EvidenceWork = z.infer<typeof evidenceWork>;
export type EvidenceFinding = z.infer<typeof evidenceFinding>;
export type ComparedPackages = z.infer<typeof comparedPackages>;
export type RangeEvidence = z.infer<typeof rangeEvidence>;
