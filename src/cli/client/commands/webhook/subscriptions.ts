// Commands that create, change and delete webhooks.
import type { RotatedKey, SavedWebhook, WebhookSubscription } from '../../../../contract/webhooks.ts';
import { WEBHOOK_FORMATS } from '../../../../domain/webhooks/format.ts';
import { type Command, EXIT, type Flag, type FlagValues, textFlag, UsageError } from '../../../command.ts';
import { clientCommand, confirmed, type Session } from '../../client-command.ts';
import { MEANING_FLAGS, meaningOf } from '../../meaning-flags.ts';
import { numberedPages, printList, wholeList } from '../../paging.ts';
import { printRecord } from '../../records.ts';
import { byIdOrSlug } from '../../references.ts';
import { WEBHOOK_COLUMNS, webhookFields } from './deliveries.ts';
import { WEBHOOK, type WebhookRealm, webhookPath } from './realm.ts';

// The filter flags of a webhook, and their translation to request fields.

const FILTER_FLAGS = {
  source: {
    type: 'string',
    value: 'slug',
    complete: 'source',
    help: 'only releases of this source of the org: slug or id',
  },
  product: { type: 'string', value: 'slug', help: 'only releases of this product of the org: slug or id' },
  type: { type: 'string', choices: ['feature', 'rollup'], help: 'only releases of this type' },
  'exclude-prereleases': { type: 'boolean', help: 'no pre-releases' },
  ...MEANING_FLAGS,
  security: { type: 'boolean', help: 'only what repairs a security problem; any of these three is enough' },
  format: { type: 'string', choices: WEBHOOK_FORMATS, help: 'form of the messages; json unless given' },
  description: { type: 'string', value: 'text', help: 'what it is for' },
} satisfies Record<string, Flag>;

function filterBody(flags: FlagValues): Record<string, unknown> {
  const [source, product] = [textFlag(flags, 'source'), textFlag(flags, 'product')];
  const given = {
    ...(source === undefined ? {} : byIdOrSlug('source', source)),
    ...(product === undefined ? {} : byIdOrSlug('product', product)),
    releaseType: flags.type,
    excludePrereleases: flags['exclude-prereleases'] === true ? true : undefined,
    ...meaningOf(flags),
    format: flags.format,
    description: flags.description,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const CLEARED_FIELDS: Record<string, Record<string, null | false>> = {
  description: { description: null },
  source: { sourceId: null },
  product: { productId: null },
  type: { releaseType: null },
  'min-breaking': { minBreaking: null },
  'min-importance': { minImportance: null },
  security: { security: false },
};

const CLEARED = Object.keys(CLEARED_FIELDS);

function clearedBody(text: string | undefined): Record<string, null | false> {
  const names = text?.split(',').map((name) => name.trim()) ?? [];
  const wrong = names.find((name) => !Object.hasOwn(CLEARED_FIELDS, name));
  if (wrong !== undefined) throw new UsageError(`--clear takes ${CLEARED.join(', ')}, not "${wrong}"`);
  return Object.assign({}, ...names.map((name) => CLEARED_FIELDS[name]));
}

const STACK = {
  type: 'string',
  value: 'name',
  help: 'stack whose packages have releases above the installed versions',
} satisfies Flag;

export function subscriptionCommands(realm: WebhookRealm): Command[] {
  const { prefix, path: base, isOperator } = realm;
  return [
    clientCommand({
      name: `${prefix} list`,
      summary: isOperator ? 'All webhooks; of those of accounts only the host is shown' : 'Webhooks of your account',
      isPaged: isOperator,
      examples: [`registry ${prefix} list`],
      run: (session) => {
        const route = { path: base, key: 'subscriptions' };
        const read = isOperator
          ? numberedPages<WebhookSubscription>(session.api, route)
          : wholeList<WebhookSubscription>(session.api, route);
        return printList(session, { read, columns: WEBHOOK_COLUMNS, none: 'there are no webhooks' });
      },
    }),
    clientCommand({
      name: `${prefix} add`,
      summary: isOperator
        ? 'Send releases of an org to an address; the signing key is shown once'
        : 'Send releases of an org, of a stack, or of all that you follow, to an address; the signing key is shown once',
      arguments: [{ name: 'url', help: 'https address that receives the messages' }],
      flags: {
        org: {
          type: 'string',
          value: 'org',
          complete: 'org',
          help: isOperator
            ? 'org whose releases are sent'
            : 'org whose releases are sent; all that you follow unless given',
        },
        ...(!isOperator && { stack: STACK }),
        ...FILTER_FLAGS,
        paused: { type: 'boolean', help: 'send nothing yet' },
      },
      examples: [
        `registry ${prefix} add https://hooks.acme.example/in --org acme`,
        `registry ${prefix} add https://hooks.acme.example/in --org acme --min-breaking major --security`,
      ],
      async run({ args, api, flags, output }) {
        const [org, stackName] = [textFlag(flags, 'org'), textFlag(flags, 'stack')];
        if (org === undefined && isOperator) throw new UsageError('--org is required');
        if (org !== undefined && stackName !== undefined) throw new UsageError('--org and --stack exclude each other');
        const all = stackName === undefined ? { scope: 'follows' } : { scope: 'stack', stackName };
        const body = {
          url: args.url,
          ...(org === undefined ? all : byIdOrSlug('org', org)),
          ...filterBody(flags),
          ...(flags.paused ? { enabled: false } : {}),
        };
        const answer = await api.send<SavedWebhook>({ method: 'POST', path: base, body });
        printRecord(output, { answer, fields: webhookFields(answer) });
        if (answer.warnings?.includes('url_unresolved'))
          output.note('the host of the address cannot be found at present');
        output.note('the signing key is shown only now');
        return EXIT.ok;
      },
    }),
    clientCommand({
      name: `${prefix} show`,
      summary: 'A webhook with its filters and the health of its deliveries',
      arguments: [WEBHOOK],
      examples: [`registry ${prefix} show whk_…`],
      run: async (session) => printOne(session, await session.api.get(webhookPath(realm, session.args.id))),
    }),
    clientCommand({
      name: `${prefix} edit`,
      summary: 'Change address, filters, format or description of a webhook',
      arguments: [WEBHOOK],
      flags: {
        url: { type: 'string', value: 'url', help: 'another address' },
        ...FILTER_FLAGS,
        'include-prereleases': { type: 'boolean', help: 'also pre-releases' },
        clear: { type: 'string', value: 'names', help: `remove these settings: ${CLEARED.join(', ')}` },
      },
      examples: [`registry ${prefix} edit whk_… --url https://hooks.acme.example/new`],
      async run(session) {
        const { args, api, flags } = session;
        const body = {
          ...filterBody(flags),
          ...clearedBody(textFlag(flags, 'clear')),
          ...(flags['include-prereleases'] ? { excludePrereleases: false } : {}),
          ...(flags.url === undefined ? {} : { url: flags.url }),
        };
        if (Object.keys(body).length === 0) throw new UsageError('say what to change');
        return printOne(session, await api.send({ method: 'PATCH', path: webhookPath(realm, args.id), body }));
      },
    }),
    ...[true, false].map((enabled) =>
      clientCommand({
        name: `${prefix} ${enabled ? 'resume' : 'pause'}`,
        summary: enabled ? 'Send again; what came meanwhile can be replayed' : 'Send nothing until it is resumed',
        arguments: [WEBHOOK],
        examples: [`registry ${prefix} ${enabled ? 'resume' : 'pause'} whk_…`],
        run: async (session) => {
          const call = { method: 'PATCH', path: webhookPath(realm, session.args.id), body: { enabled } } as const;
          return printOne(session, await session.api.send(call));
        },
      }),
    ),
    clientCommand({
      name: `${prefix} rotate`,
      summary: 'A new signing key, shown once; the old one signs beside it for a day',
      arguments: [WEBHOOK],
      flags: { 'revoke-old': { type: 'boolean', help: 'end the old key at once' } },
      examples: [`registry ${prefix} rotate whk_…`],
      async run({ args, api, flags, output }) {
        const body = { revokeOld: flags['revoke-old'] === true };
        const answer = await api.send<RotatedKey>({
          method: 'POST',
          path: `${webhookPath(realm, args.id)}/rotate-secret`,
          body,
        });
        printRecord(output, {
          answer,
          fields: [
            ['signing key', answer.signingKey],
            ['standard secret', answer.standardSecret],
            ['old key until', answer.previousKeyExpiresAt],
          ],
        });
        output.note('the signing key is shown only now');
        return EXIT.ok;
      },
    }),
  ];
}

export function deletionCommand(realm: WebhookRealm): Command {
  const { prefix } = realm;
  return clientCommand({
    name: `${prefix} delete`,
    summary: 'Remove a webhook with its waiting deliveries and its log',
    arguments: [WEBHOOK],
    confirms: true,
    examples: [`registry ${prefix} delete whk_… --yes`],
    async run(session) {
      const { args, api, output } = session;
      if (!(await confirmed(session, `Delete the webhook ${args.id}?`))) return EXIT.failure;
      await api.send({ method: 'DELETE', path: webhookPath(realm, args.id) });
      if (output.mode === 'json') output.json({ deleted: args.id });
      else output.line(`deleted ${args.id}`);
      return EXIT.ok;
    },
  });
}

function printOne({ output }: Session, answer: SavedWebhook): number {
  printRecord(output, { answer, fields: webhookFields(answer) });
  return EXIT.ok;
}
