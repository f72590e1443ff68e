// What one text could ask for, told while it is typed.
import { z } from 'zod';
import { breaking } from './enums.ts';
import { field } from './fields.ts';
import { count } from './pagination.ts';
import { searchAnswer } from './search.ts';

const sitePath = z.string().meta({ description: 'Path on the site.', example: '/packages/npm/acme-cli' });

const askedUpgrade = z
  .object({
    ecosystem: field.ecosystem,
    package: field.packageName,
    from: z.string().meta({ description: 'Version in use.', example: '1.4.0' }),
    to: z.string().meta({ description: 'Version to go to.', example: '2.0.0' }),
    level: breaking,
    sentence: z
      .string()
      .meta({ description: 'The answer as a sentence.', example: 'acme-cli 1 → 2 breaks: Node 20 is needed' }),
    versions: count.meta({ description: 'Versions of the range that are known.' }),
    steps: count.meta({ description: 'Things to do for the update.' }),
    judgedBy: z.array(z.enum(['notes', 'package'])).meta({ description: 'What the answer rests on.' }),
    path: sitePath,
  })
  .meta({ id: 'AskedUpgrade' });

const unreadPackage = z
  .object({ ecosystem: field.ecosystem, name: field.packageName, path: sitePath })
  .meta({ id: 'UnreadPackage' });

export const askAnswer = z
  .object({
    query: field.query,
    path: sitePath.describe('Where the text leads: a package, an update, a source, or the search.'),
    upgrade: askedUpgrade.nullable().describe('The most likely question, by what is known now; null: none is.'),
    packages: searchAnswer.shape.packages,
    unread: unreadPackage
      .nullable()
      .describe('A package that the text may mean and that is not known here; its path has it read.'),
  })
  .meta({ id: 'AskAnswer' });

export type AskAnswer = z.infer<typeof askAnswer>;
export type AskedUpgrade = z.infer<typeof askedUpgrade>;
