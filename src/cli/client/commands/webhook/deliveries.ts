// Commands that send test events, list deliveries, and replay them.
import type {
  DeliveryLog,
  DeliveryRow,
  RangeReplayQueued,
  ReplayQueued,
  SavedWebhook,
  TestQueued,
  WebhookSubscription,
} from '../../../../contract/webhooks.ts';
import { type Command, CommandFailure, EXIT, textFlag, UsageError } from '../../../command.ts';
import { path } from '../../api.ts';
import { clientCommand, type Session } from '../../client-command.ts';
import type { Field } from '../../output.ts';
import { cursorPages, printList } from '../../paging.ts';
import { printRecord } from '../../records.ts';
import type { Column } from '../../table.ts';
import { day, scoped } from '../../views.ts';
import { WEBHOOK, type WebhookRealm, webhookPath } from './realm.ts';

export function deliveryCommands(realm: WebhookRealm): Command[] {
  const { prefix } = realm;
  return [
    clientCommand({
      name: `${prefix} test`,
      summary: 'Send a test message',
      arguments: [WEBHOOK],
      flags: { wait: { type: 'boolean', help: 'wait for the outcome, and exit by it' } },
      examples: [`registry ${prefix} test whk_… --wait`],
      async run(session) {
        const { args, api, flags, output } = session;
        const queued = await api.send<TestQueued>({
          method: 'POST',
          path: `${webhookPath(realm, args.id)}/test`,
          body: {},
        });
        if (flags.wait)
          return printOutcome(session, await outcomeOf(session, `${webhookPath(realm, args.id)}/deliveries`, queued));
        if (output.mode === 'json') output.json(queued);
        else output.line(`queued ${queued.deliveryId}`);
        return EXIT.ok;
      },
    }),
    clientCommand({
      name: `${prefix} deliveries`,
      summary: 'What was sent in the last 90 days, newest first',
      arguments: [WEBHOOK],
      flags: {
        failed: { type: 'boolean', help: 'only what failed' },
        event: { type: 'string', value: 'id', help: 'only this event' },
      },
      isPaged: true,
      examples: [`registry ${prefix} deliveries whk_… --failed`],
      run: (session) => {
        const { args, api, flags } = session;
        const query = { failed: flags.failed === true ? true : undefined, event_id: textFlag(flags, 'event') };
        const read = cursorPages<DeliveryRow>(api, {
          path: `${webhookPath(realm, args.id)}/deliveries`,
          query,
          key: 'data',
        });
        return printList(session, { read, columns: DELIVERY_COLUMNS, none: 'nothing was sent' });
      },
    }),
    clientCommand({
      name: `${prefix} replay`,
      summary: 'Send a delivery again, or all events of a time',
      arguments: [WEBHOOK, { name: 'delivery', help: 'id of one delivery', optional: true }],
      flags: {
        since: { type: 'string', value: 'date', help: 'events since then: 30d or 2026-01-31' },
        until: { type: 'string', value: 'date', help: 'events up to then' },
        failed: { type: 'boolean', help: 'only those that did not arrive' },
      },
      examples: [`registry ${prefix} replay whk_… dlv_…`, `registry ${prefix} replay whk_… --since 2d --failed`],
      run: (session) => replay(session, webhookPath(realm, session.args.id)),
    }),
  ];
}

const POLL_MS = 1000;
const MAX_POLLS = 60;

async function outcomeOf(session: Session, where: string, { eventId }: TestQueued): Promise<DeliveryRow> {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
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
    const where = `${webhook}/deliveries${path`/${args.delivery}`}/replay`;
    const answer = await api.send<ReplayQueued>({ method: 'POST', path: where, body: {} });
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

// Webhooks and deliveries as tables and records.

export const WEBHOOK_COLUMNS: readonly Column<WebhookSubscription>[] = [
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

export function webhookFields(webhook: SavedWebhook): Field[] {
  return [
    ['id', webhook.id],
    ['for', scopeOf(webhook)],
    ['to', webhook.url],
    ['format', webhook.format],
    ['type', webhook.releaseType],
    ['pre-releases', !webhook.excludePrereleases],
    ['only', meaningWords(webhook)],
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

// Null where what a release means does not matter. Servers of before do not say it.
function meaningWords({ minBreaking, minImportance, security }: WebhookSubscription): string | null {
  const words = [
    minBreaking ? `${minBreaking === 'minor' ? 'minor and major' : 'major'} breaks` : '',
    minImportance ? `importance ${minImportance} and above` : '',
    security ? 'security fixes' : '',
  ].filter(Boolean);
  return words.length > 0 ? words.join(', or ') : null;
}

function scopeOf({ scope, orgSlug, stackName, sourceSlug, productSlug }: WebhookSubscription): string {
  if (scope === 'follows') return 'all that is followed';
  if (scope === 'stack') return `the stack ${stackName}`;
  return scoped(orgSlug, sourceSlug ?? productSlug ?? '*');
}
