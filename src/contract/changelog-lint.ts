// The check of a changelog that somebody sends as text.
import { z } from 'zod';
import { LINT_RULES } from '../domain/lint/finding.ts';

const RULES = Object.keys(LINT_RULES) as [keyof typeof LINT_RULES, ...(keyof typeof LINT_RULES)[]];

export const changelogLintInput = z
  .object({
    content: z
      .string()
      .min(1)
      .meta({ description: 'The changelog, at most 2 MiB.', example: '## 1.1.0\n\n- Faster.\n' }),
    filename: z.string().max(200).optional().meta({ description: 'Tells the format.', example: 'CHANGELOG.md' }),
    ecosystem: z.string().max(40).optional().meta({ description: 'Of the package.', example: 'npm' }),
    package: z.string().max(214).optional().meta({ description: 'Whose changelog it is.', example: '@acme/kit' }),
    version: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'The version that is about to be published, or was last.', example: '1.1.0' }),
  })
  .meta({ id: 'ChangelogLintInput' });

const lintFinding = z
  .object({
    rule: z.enum(RULES),
    level: z.enum(['error', 'warning', 'info']),
    line: z.int().min(1).nullable().meta({ description: 'Null for the file as a whole.' }),
    version: z.string().nullable().meta({ description: 'The version that it is about.' }),
    sentence: z.string().meta({ description: 'What holds there.' }),
    evidence: z.array(z.string()).meta({ description: 'What it rests on.' }),
    advice: z.string().meta({ description: 'What to do.' }),
  })
  .meta({ id: 'ChangelogLintFinding' });

export const changelogLint = z
  .object({
    findings: z.array(lintFinding).meta({ description: 'Errors first, then by line.' }),
    counts: z.object({ error: z.int().min(0), warning: z.int().min(0), info: z.int().min(0) }),
    more: z.int().min(0).meta({ description: 'How many findings were left out of the list.' }),
    sections: z.int().min(0).meta({ description: 'How many sections with a version were read.' }),
    against: z.string().nullable().meta({
      description:
        'The last published version that is known here; null without one, and then only the text was looked at.',
    }),
    compared: z
      .boolean()
      .meta({ description: 'Whether the packages of this version and the one before were compared.' }),
  })
  .meta({ id: 'ChangelogLint' });

export type ChangelogLintInput = z.output<typeof changelogLintInput>;
export type ChangelogLint = z.output<typeof changelogLint>;
