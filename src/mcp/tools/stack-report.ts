// What the newest versions bring to a stack of the account, by risk.
import { z } from 'zod';
import { badRequest } from '../../contract/errors.ts';
import type { StackReportRow } from '../../contract/stack.ts';
import { GROUP_WORDS, GROUPS } from '../../domain/upgrade/report/groups.ts';
import { type Cut, excerptCut, listCut } from '../budget.ts';
import { blocks, facts, lines, QUOTE_NOTE } from '../markdown.ts';
import { inline, quoted, shortened } from '../quoting.ts';
import type { RegistryApi } from '../registry-api.ts';
import { fitResult } from '../result.ts';
import { COMPLETE } from '../shapes.ts';
import { tool } from '../tool.ts';

const row = z.object({
  package: z.string(),
  installed: z.string(),
  newest: z.string().nullable(),
  group: z.enum(GROUPS),
  isNew: z.boolean(),
  reason: z.string(),
});
type Row = z.infer<typeof row>;

interface Value {
  name: string;
  sentence: string;
  count: number;
  packages: Row[];
}

export const stackReport = tool({
  name: 'stack_report',
  title: 'What came for a stack',
  description: 'The packages of a stack of the account by risk, with their newest versions. Needs an account.',
  account: 'read',
  input: {
    name: z.string().trim().min(1).max(64).optional().describe('Name of the stack; not needed for the only one.'),
  },
  output: { name: z.string(), sentence: z.string(), count: z.int(), packages: z.array(row) },
  async run({ api, maxTokens }, { name: given }) {
    const name = given ?? (await onlyStack(api));
    const { sentence, rows } = await api.get('/me/stacks/{name}/report', { params: { name } });
    const value: Value = { name, sentence, count: rows.length, packages: rows.map(shown) };
    // Rows are by risk, so the least of it goes first.
    const cuts: Cut<Value>[] = [
      excerptCut((cut, length) => ({
        ...cut,
        packages: cut.packages.map((one) => ({ ...one, reason: shortened(one.reason, Math.max(length, 60)) })),
      })),
      listCut('packages'),
    ];
    return fitResult<Value>(
      {
        value,
        cuts,
        text: stackText,
        truncation: ({ packages }, cut) =>
          cut
            ? { truncated: true, reason: 'token_budget', omitted: rows.length - packages.length, next: null }
            : COMPLETE,
      },
      maxTokens,
    );
  },
});

async function onlyStack(api: RegistryApi): Promise<string> {
  const { stacks } = await api.get('/me/stacks');
  const [only, ...others] = stacks;
  if (only && others.length === 0) return only.name;
  throw badRequest(
    'name',
    stacks.length === 0
      ? 'the account has no stack; `registry stack push` in a project makes one'
      : `name one of ${stacks.map(({ name }) => name).join(', ')}`,
  );
}

function shown({ package: name, installed, newest, group, isNew, reason }: StackReportRow): Row {
  return { package: name, installed, newest, group, isNew, reason };
}

function stackText({ name, sentence, packages }: Value): string {
  const listed = packages.map((one) =>
    lines(
      facts(
        `- ${inline(one.package)} ${inline(one.installed)}${one.newest === null ? '' : ` → ${inline(one.newest)}`}`,
        GROUP_WORDS[one.group].word.toLowerCase(),
        one.isNew && 'new',
      ),
      quoted(one.reason),
    ),
  );
  return blocks(`# ${inline(name)}: ${inline(sentence)}`, packages.length > 0 && QUOTE_NOTE, ...listed);
}
