// Adds a source to a running server: shows how the server would read a URL, asks for confirmation, and creates it.
import type { Evaluation } from '../../../../contract/evaluate.ts';
import { CommandFailure, EXIT } from '../../../command.ts';
import { clientCommand, confirmed, type Session } from '../../client-command.ts';
import type { Field } from '../../output.ts';
import { printRecord } from '../../records.ts';

const ADD = {
  summary: 'Add a source: shows how its address would be read, asks, then creates it',
  arguments: [{ name: 'url', help: 'address of a changelog, feed or repository' }],
  flags: {
    org: { type: 'string', value: 'slug', help: 'org of the source; else the one that the address belongs to' },
    name: { type: 'string', value: 'text', help: 'name of the source, instead of the proposed one' },
    slug: { type: 'string', value: 'slug', help: 'slug of the source; else made from its name' },
    again: { type: 'boolean', help: 'also when the registry reads the address already; --yes alone does not say so' },
  },
  confirms: true,
  run: addSource,
} as const;

export const sourceAddCommands = [
  clientCommand({
    name: 'source add',
    ...ADD,
    examples: ['REGISTRY_API_KEY=… registry source add https://acme.example/changelog --org acme'],
  }),
  clientCommand({
    name: 'admin source add',
    ...ADD,
    examples: ['REGISTRY_API_KEY=… registry admin source add https://acme.example/changelog --yes'],
  }),
  clientCommand({
    name: 'admin evaluate',
    summary: 'How an address would best be read as a source; nothing is stored',
    arguments: ADD.arguments,
    examples: ['registry admin evaluate https://acme.example/changelog'],
    async run({ args, api, output }) {
      const answer = await api.get<Evaluation>('/v1/evaluate', { url: args.url });
      printRecord(output, { answer, fields: evaluationFields(answer) });
      return EXIT.ok;
    },
  }),
];

async function addSource(session: Session): Promise<number> {
  const { args, api, flags, output } = session;
  const found = await api.get<Evaluation>('/v1/evaluate', { url: args.url });
  if (output.mode !== 'json') output.fields(evaluationFields(found));
  if (!(await agreed(session, found))) return EXIT.failure;
  const { sourceOf } = await import('../../source-body.ts');
  const body = sourceOf(found, flags);
  const source = await api.send<{ id: string; slug: string }>({ method: 'POST', path: '/v1/sources', body });
  if (output.mode === 'json') output.json({ evaluation: found, source });
  else output.line(`created ${source.slug} (${source.id})`);
  return EXIT.ok;
}

// A second source of one address doubles every release, so that is asked by itself.
async function agreed(session: Session, { existingSourceIds: known }: Evaluation): Promise<boolean> {
  const { flags } = session;
  if (known.length === 0 || flags.again) return confirmed(session, 'Create this source?');
  const names = known.join(', ');
  if (flags.yes) throw new CommandFailure(`${names} reads this address already; add --again to create another source`);
  return confirmed(session, `${names} reads this address already. Create another source?`);
}

function evaluationFields(found: Evaluation): Field[] {
  const { proposed } = found;
  const org = proposed.orgSlug === null ? 'no org' : `org ${proposed.orgSlug}`;
  return [
    ['method', `${found.recommendedMethod} (${found.confidence} confidence)`],
    ['address', found.recommendedUrl],
    ['source', `${proposed.name} (${proposed.slug}), ${org}`],
    ['entry', found.sample.map(({ title, publishedAt }) => `${publishedAt?.slice(0, 10) ?? 'undated'} ${title}`)],
    ['note', found.notes],
    ['already read by', found.existingSourceIds],
  ];
}
