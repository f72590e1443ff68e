// Webhooks: those of an account, and with another path those of the operator.
import type {
  DeliveryLog,
  DeliveryRow,
  RangeReplayQueued,
  ReplayQueued,
  RotatedKey,
  SavedWebhook,
  TestQueued,
  WebhookSubscription,
} from '../../../contract/webhooks.ts';
import { WEBHOOK_FORMATS } from '../../../domain/webhooks/format.ts';
import {
  type Argument,
  CommandFailure,
  EXIT,
  type Flag,
  type FlagValues,
  textFlag,
  UsageError,
} from '../../command.ts';
import { type Api, path } from '../api.ts';
import { clientCommand, confirmed, type Session } from '../client-command.ts';
import type { Field } from '../output.ts';
import { cursorPages, numberedPages, printList, wholeList } from '../paging.ts';
import { byIdOrSlug } from '../references.ts';
import type { Column } from '../table.ts';
import { day, printRecord, scoped } from '../views.ts';

const ID: Argument = { name: 'id', help: 'id of the webhook' };
const CLEARED = ['description', 'source', 'product', 'type'];

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
  format: { type: 'string', choices: WEBHOOK_FORMATS, help: 'form of the messages; json unless given' },
  description: { type: 'string', value: 'text', help: 'what it is for' },
} satisfies Record<string, Flag>;

const WEBHOOK_COLUMNS: readonly Column<WebhookSubscription>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'FOR', value: scopeOf },
  { title: 'TO', value: ({ url }) => url, flexible: true },
  { title: 'FORMAT', value: ({ format }) => format },
  {
    title: 'STATE',
    value: ({ enabled }) => (enabled ? 'on' : 'paused'),
    tone: ({ enabled }) => (enabled ? null : 'dim'),
  },
  {
    title: 'HEALTH',
    value: ({ deliveryHealth }) => deliveryHealth,
    tone: ({ deliveryHealth }) => (deliveryHealth === 'healthy' ? 'green' : 'red'),
  },
];

const DELIVERY_COLUMNS: readonly Column<DeliveryRow>[] = [
  { title: 'TIME', value: ({ timestamp }) => timestamp },
  {
    title: 'OUTCOME',
    value: ({ outcome }) => outcome,
    tone: ({ outcome }) => (outcome === 'success' ? 'green' : outcome === 'skipped' ? 'dim' : 'red'),
  },
  { title: 'STATUS', value: ({ http_status }) => http_status || '' },
  { title: 'MS', value: ({ latency_ms }) => latency_ms },
  { title: 'TRY', value: ({ attempt }) => attempt },
  { title: 'ERROR', value: ({ error_message }) => error_message, flexible: true },
  { title: 'DELIVERY', value: ({ delivery_id }) => delivery_id },
  { title: 'EVENT', value: ({ event_id }) => event_id, plainOnly: true },
];

interface WebhookRealm {
  // First words of the commands.
  prefix: string;
  path: string;
  // Of the operator: paged, and always for an org.
  isOperator: boolean;
}

function webhookCommandsOf({ prefix, path: base, isOperator }: WebhookRealm) {
  const one = (id: string | undefined) => `${base}${path`/${id ?? ''}`}`;
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
        : 'Send releases of an org, or of all that you follow, to an address; the signing key is shown once',
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
        ...FILTER_FLAGS,
        paused: { type: 'boolean', help: 'send nothing yet' },
      },
      examples: [`registry ${prefix} add https://hooks.acme.example/in --org acme`],
      async run({ args, api, flags, output }) {
        const org = textFlag(flags, 'org');
        if (org === undefined && isOperator) throw new UsageError('--org is required');
        const body = {
          url: args.url,
          ...(org === undefined ? { scope: 'follows' } : byIdOrSlug('org', org)),
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
      arguments: [ID],
      examples: [`registry ${prefix} show whk_…`],
      run: async (session) => printOne(session, await session.api.get(one(session.args.id))),
    }),
    clientCommand({
      name: `${prefix} edit`,
      summary: 'Change address, filters, format or description of a webhook',
      arguments: [ID],
      flags: {
        url: { type: 'string', value: 'url', help: 'another address' },
        ...FILTER_FLAGS,
        'include-prereleases': { type: 'boolean', help: 'also pre-releases' },
        clear: { type: 'string', value: 'names', help: `take these off: ${CLEARED.join(', ')}` },
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
        return printOne(session, await api.send({ method: 'PATCH', path: one(args.id), body }));
      },
    }),
    ...[true, false].map((enabled) =>
      clientCommand({
        name: `${prefix} ${enabled ? 'resume' : 'pause'}`,
        summary: enabled ? 'Send again; what came meanwhile can be replayed' : 'Send nothing until it is resumed',
        arguments: [ID],
        examples: [`registry ${prefix} ${enabled ? 'resume' : 'pause'} whk_…`],
        run: async (session) => {
          const call = { method: 'PATCH', path: one(session.args.id), body: { enabled } } as const;
          return printOne(session, await session.api.send(call));
        },
      }),
    ),
    clientCommand({
      name: `${prefix} rotate`,
      summary: 'A new signing key, shown once; the old one signs beside it for a day',
      arguments: [ID],
      flags: { 'revoke-old': { type: 'boolean', help: 'end the old key at once' } },
      examples: [`registry ${prefix} rotate whk_…`],
      async run({ args, api, flags, output }) {
        const body = { revokeOld: flags['revoke-old'] === true };
        const answer = await api.send<RotatedKey>({ method: 'POST', path: `${one(args.id)}/rotate-secret`, body });
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
    clientCommand({
      name: `${prefix} test`,
      summary: 'Send a test message',
      arguments: [ID],
      flags: { wait: { type: 'boolean', help: 'wait for the outcome, and exit by it' } },
      examples: [`registry ${prefix} test whk_… --wait`],
      async run(session) {
        const { args, api, flags, output } = session;
        const queued = await api.send<TestQueued>({ method: 'POST', path: `${one(args.id)}/test`, body: {} });
        if (flags.wait) return printOutcome(session, await outcomeOf(session, `${one(args.id)}/deliveries`, queued));
        if (output.mode === 'json') output.json(queued);
        else output.line(`queued ${queued.deliveryId}`);
        return EXIT.ok;
      },
    }),
    clientCommand({
      name: `${prefix} deliveries`,
      summary: 'What was sent in the last 90 days, newest first',
      arguments: [ID],
      flags: {
        failed: { type: 'boolean', help: 'only what failed' },
        event: { type: 'string', value: 'id', help: 'only this event' },
      },
      isPaged: true,
      examples: [`registry ${prefix} deliveries whk_… --failed`],
      run: (session) => {
        const { args, api, flags } = session;
        const query = { failed: flags.failed === true ? true : undefined, event_id: textFlag(flags, 'event') };
        const read = cursorPages<DeliveryRow>(api, { path: `${one(args.id)}/deliveries`, query, key: 'data' });
        return printList(session, { read, columns: DELIVERY_COLUMNS, none: 'nothing was sent' });
      },
    }),
    clientCommand({
      name: `${prefix} replay`,
      summary: 'Send a delivery again, or all events of a time',
      arguments: [ID, { name: 'delivery', help: 'id of one delivery', optional: true }],
      flags: {
        since: { type: 'string', value: 'date', help: 'events since then: 30d or 2026-01-31' },
        until: { type: 'string', value: 'date', help: 'events up to then' },
        failed: { type: 'boolean', help: 'only those that did not arrive' },
      },
      examples: [`registry ${prefix} replay whk_… dlv_…`, `registry ${prefix} replay whk_… --since 2d --failed`],
      run: (session) => replay(session, one(session.args.id)),
    }),
    clientCommand({
      name: `${prefix} delete`,
      summary: 'Remove a webhook with its waiting deliveries and its log',
      arguments: [ID],
      asks: true,
      examples: [`registry ${prefix} delete whk_… --yes`],
      async run(session) {
        const { args, api, output } = session;
        if (!(await confirmed(session, `Delete the webhook ${args.id}?`))) return EXIT.failure;
        await api.send({ method: 'DELETE', path: one(args.id) });
        if (output.mode === 'json') output.json({ deleted: args.id });
        else output.line(`deleted ${args.id}`);
        return EXIT.ok;
      },
    }),
  ];
}

export const webhookCommands = webhookCommandsOf({ prefix: 'webhook', path: '/v1/me/webhooks', isOperator: false });
export const adminWebhookCommands = webhookCommandsOf({
  prefix: 'admin webhook',
  path: '/v1/webhooks',
  isOperator: true,
});

function printOne({ output }: Session, answer: SavedWebhook): number {
  printRecord(output, { answer, fields: webhookFields(answer) });
  return EXIT.ok;
}

function scopeOf({ scope, orgSlug, sourceSlug, productSlug }: WebhookSubscription): string {
  if (scope === 'follows') return 'all that is followed';
  return scoped(orgSlug, sourceSlug ?? productSlug ?? '*');
}

function webhookFields(webhook: SavedWebhook): Field[] {
  return [
    ['id', webhook.id],
    ['for', scopeOf(webhook)],
    ['to', webhook.url],
    ['format', webhook.format],
    ['type', webhook.releaseType],
    ['pre-releases', !webhook.excludePrereleases],
    ['description', webhook.description],
    ['state', webhook.enabled ? 'on' : `paused${webhook.disabledReason ? `: ${webhook.disabledReason}` : ''}`],
    ['health', `${webhook.deliveryHealth}: ${webhook.deliveryHealthSummary}`],
    ['last success', webhook.lastSuccessAt],
    ['last error', webhook.lastErrorAt && `${webhook.lastErrorAt} ${webhook.lastErrorMsg ?? ''}`],
    ['old key until', webhook.previousKeyExpiresAt],
    ['created', day(webhook.createdAt)],
    ['signing key', webhook.signingKey],
    ['standard secret', webhook.standardSecret],
  ];
}

function filterBody(flags: FlagValues): Record<string, unknown> {
  const [source, product] = [textFlag(flags, 'source'), textFlag(flags, 'product')];
  return {
    ...(source === undefined ? {} : byIdOrSlug('source', source)),
    ...(product === undefined ? {} : byIdOrSlug('product', product)),
    ...(flags.type === undefined ? {} : { releaseType: flags.type }),
    ...(flags['exclude-prereleases'] ? { excludePrereleases: true } : {}),
    ...(flags.format === undefined ? {} : { format: flags.format }),
    ...(flags.description === undefined ? {} : { description: flags.description }),
  };
}

const CLEARED_FIELDS: Record<string, Record<string, null>> = {
  description: { description: null },
  source: { sourceId: null },
  product: { productId: null },
  type: { releaseType: null },
};

function clearedBody(text: string | undefined): Record<string, null> {
  const names = text?.split(',').map((name) => name.trim()) ?? [];
  const wrong = names.find((name) => !Object.hasOwn(CLEARED_FIELDS, name));
  if (wrong !== undefined) throw new UsageError(`--clear takes ${CLEARED.join(', ')}, not "${wrong}"`);
  return Object.assign({}, ...names.map((name) => CLEARED_FIELDS[name]));
}

const POLL_MS = 1000;
const MOST_POLLS = 60;

async function outcomeOf(session: Session, where: string, { eventId }: TestQueued): Promise<DeliveryRow> {
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    const { data } = await session.api.get<DeliveryLog>(where, { event_id: eventId, limit: 1 });
    const [row] = data;
    if (row) return row;
    await session.wait(POLL_MS);
  }
  throw new CommandFailure('the test was not sent within a minute; is a worker running?');
}

function printOutcome({ output }: Session, row: DeliveryRow): number {
  if (output.mode === 'json') output.json(row);
  else output.rows(DELIVERY_COLUMNS, [row]);
  return row.outcome === 'success' ? EXIT.ok : EXIT.failure;
}

async function replay({ args, api, flags, output }: Session, webhook: string): Promise<number> {
  const range = ['since', 'until', 'failed'].filter((name) => flags[name] !== undefined);
  if ((args.delivery !== undefined) === range.length > 0) throw new UsageError('give the id of a delivery, or --since');
  if (args.delivery !== undefined) {
    const answer = await replayOne(api, `${webhook}/deliveries${path`/${args.delivery}`}/replay`);
    printRecord(output, { answer, fields: [['queued', answer.deliveryId]] });
    return EXIT.ok;
  }
  const since = textFlag(flags, 'since');
  if (since === undefined) throw new UsageError('--since is required');
  const body = { since, until: textFlag(flags, 'until'), only: flags.failed ? 'failed' : 'all' };
  const answer = await api.send<RangeReplayQueued>({ method: 'POST', path: `${webhook}/replay`, body });
  const fields: Field[] = [
    ['matched', answer.matched],
    ['queued', answer.queued],
    ['skipped', answer.skipped],
  ];
  printRecord(output, { answer, fields });
  if (answer.truncated) output.note(`there is more: --since ${answer.nextSince}`);
  return EXIT.ok;
}

function replayOne(api: Api, where: string): Promise<ReplayQueued> {
  return api.send({ method: 'POST', path: where, body: {} });
}
