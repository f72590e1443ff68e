// Operators: the notice, machine tokens, deliveries that were given up, and what happened.
import type { SiteNoticeAnswer } from '../../../contract/notice.ts';
import type { TokenRow } from '../../../contract/token.ts';
import type { DeadLetters } from '../../../contract/webhooks.ts';
import { type Argument, EXIT, textFlag, UsageError } from '../../command.ts';
import { path } from '../api.ts';
import { clientCommand } from '../client-command.ts';
import { answerFields, bodyField, changeOf, operatorCommand } from '../operator-command.ts';
import { cursorPages, numberedPages, printList, wholeList } from '../paging.ts';
import { orgName, sourceIdOf } from '../references.ts';
import type { Column } from '../table.ts';
import { day, printRecord, scoped } from '../views.ts';

const NOTICE = '/v1/site-notice';
const SCOPES = ['read', 'write', 'admin'];
const TOKEN: Argument = { name: 'id', help: 'id of the token' };

const TOKEN_COLUMNS: readonly Column<TokenRow>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'SCOPES', value: ({ scopes }) => scopes.join(',') },
  {
    title: 'STATE',
    value: ({ active }) => (active ? 'active' : 'ended'),
    tone: ({ active }) => (active ? null : 'dim'),
  },
  { title: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt, short: ({ lastUsedAt }) => day(lastUsedAt) },
  { title: 'EXPIRES', value: ({ expiresAt }) => expiresAt, short: ({ expiresAt }) => day(expiresAt) },
];

type DeadLetter = DeadLetters['items'][number];

const DEAD_COLUMNS: readonly Column<DeadLetter>[] = [
  { title: 'TIME', value: ({ timestamp }) => timestamp },
  { title: 'DELIVERY', value: ({ delivery_id }) => delivery_id },
  { title: 'WEBHOOK', value: ({ subscriptionId }) => subscriptionId },
  { title: 'HOST', value: ({ host }) => host },
  { title: 'STATUS', value: ({ http_status }) => http_status || '' },
  { title: 'ERROR', value: ({ error_message }) => error_message, flexible: true },
];

interface StuckSource {
  sourceId: string;
  sourceSlug: string;
  orgSlug: string | null;
  recentErrors: number;
  lastErrorCategory: string | null;
  lastError: string | null;
  lastSuccessAt: string | null;
}

const STUCK_COLUMNS: readonly Column<StuckSource>[] = [
  { title: 'SOURCE', value: ({ orgSlug, sourceSlug }) => scoped(orgSlug, sourceSlug) },
  { title: 'FAILURES', value: ({ recentErrors }) => recentErrors },
  { title: 'KIND', value: ({ lastErrorCategory }) => lastErrorCategory, tone: () => 'red' },
  {
    title: 'LAST SUCCESS',
    value: ({ lastSuccessAt }) => lastSuccessAt,
    short: ({ lastSuccessAt }) => day(lastSuccessAt),
  },
  { title: 'ERROR', value: ({ lastError }) => lastError, flexible: true },
  { title: 'ID', value: ({ sourceId }) => sourceId, plainOnly: true },
];

interface FetchLogRow {
  createdAt: string;
  orgSlug: string | null;
  sourceSlug: string;
  status: string;
  releasesFound: number;
  releasesInserted: number;
  durationMs: number | null;
  error: string | null;
}

const FETCH_COLUMNS: readonly Column<FetchLogRow>[] = [
  { title: 'TIME', value: ({ createdAt }) => createdAt },
  { title: 'SOURCE', value: ({ orgSlug, sourceSlug }) => scoped(orgSlug, sourceSlug) },
  {
    title: 'STATUS',
    value: ({ status }) => status,
    tone: ({ status }) => (status === 'success' ? 'green' : status === 'no_change' ? 'dim' : 'red'),
  },
  { title: 'FOUND', value: ({ releasesFound }) => releasesFound },
  { title: 'NEW', value: ({ releasesInserted }) => releasesInserted },
  { title: 'MS', value: ({ durationMs }) => durationMs },
  { title: 'ERROR', value: ({ error }) => error, flexible: true },
];

interface AuditRow {
  createdAt: string;
  actor: string;
  action: string;
  targetType: string;
  targetId: string | null;
}

const AUDIT_COLUMNS: readonly Column<AuditRow>[] = [
  { title: 'TIME', value: ({ createdAt }) => createdAt },
  { title: 'ACTOR', value: ({ actor }) => actor },
  { title: 'ACTION', value: ({ action }) => action },
  { title: 'ON', value: ({ targetType }) => targetType },
  { title: 'ID', value: ({ targetId }) => targetId, flexible: true },
];

const TIME_FLAGS = {
  after: { type: 'string', value: 'date', help: 'after this time: 7d or 2026-01-31' },
  before: { type: 'string', value: 'date', help: 'before this time' },
} as const;

export const adminServiceCommands = [
  clientCommand({
    name: 'admin notice show',
    summary: 'The active notice of the site',
    examples: ['registry admin notice show'],
    async run({ api, output }) {
      const answer = await api.get<SiteNoticeAnswer>(NOTICE);
      printRecord(output, { answer, fields: answerFields(answer.notice) });
      if (answer.notice === null) output.note('there is no active notice');
      return EXIT.ok;
    },
  }),
  operatorCommand({
    name: 'admin notice set',
    summary: 'Replace the notice of the site',
    arguments: [{ name: 'message', help: 'what it says' }],
    fields: [
      bodyField('placement', 'text', 'where it stands; banner unless given', { choices: ['home', 'banner'] }),
      bodyField('color', 'text', '# and six hex digits'),
      bodyField('linkText', 'text', 'text of a link'),
      bodyField('href', 'text', 'address of the link'),
      bodyField('dismissible', 'switch', 'readers can close it'),
      bodyField('active', 'switch', 'shown; it is unless --no-active makes it a draft'),
    ],
    examples: ['registry admin notice set "Fetching is slow today" --color "#aa5500"'],
    call: ({ args }, body) => ({
      method: 'PUT',
      path: NOTICE,
      body: { active: true, placement: 'banner', color: '#1f6feb', dismissible: true, ...body, message: args.message },
    }),
    done: () => 'the notice is set',
  }),
  operatorCommand({
    name: 'admin notice clear',
    summary: 'Show no notice',
    examples: ['registry admin notice clear'],
    call: async ({ api }) => {
      const { notice } = await api.get<SiteNoticeAnswer>(NOTICE);
      if (notice === null) throw new UsageError('there is no active notice');
      return { method: 'PUT', path: NOTICE, body: { ...notice, active: false } };
    },
    done: () => 'the notice is no longer shown',
  }),
  clientCommand({
    name: 'admin token list',
    summary: 'Machine tokens, newest first',
    flags: { active: { type: 'boolean', help: 'only those that work' } },
    examples: ['registry admin token list --active'],
    run: (session) => {
      const query = { active: session.flags.active === true ? true : undefined };
      const read = wholeList<TokenRow>(session.api, { path: '/v1/tokens', query, key: 'tokens' });
      return printList(session, { read, columns: TOKEN_COLUMNS, none: 'there are no tokens' });
    },
  }),
  operatorCommand({
    name: 'admin token create',
    summary: 'Mint a machine token; its value is shown once',
    arguments: [{ name: 'name', help: 'what the token is for' }],
    fields: [
      bodyField('scopes', 'list', `scopes: ${SCOPES.join(', ')}`),
      bodyField('expiresAt', 'text', 'date or time when it ends; never unless given'),
    ],
    examples: ['registry admin token create "build server" --scopes write --expires-at 2027-01-01T00:00:00Z'],
    call: ({ args }, body) => {
      if (body.scopes === undefined) throw new UsageError('--scopes is required');
      return { method: 'POST', path: '/v1/tokens', body: { ...body, name: args.name } };
    },
  }),
  operatorCommand({
    name: 'admin token edit',
    summary: 'Change name, scopes or end of a machine token',
    arguments: [TOKEN],
    fields: [
      bodyField('name', 'text', 'another name'),
      bodyField('scopes', 'list', `scopes: ${SCOPES.join(', ')}`),
      bodyField('expiresAt', 'text', 'date or time when it ends'),
    ],
    clears: ['expiresAt'],
    examples: ['registry admin token edit tok_… --scopes read'],
    call: ({ args }, body) => ({ method: 'PATCH', path: path`/v1/tokens/${args.id ?? ''}`, body: changeOf(body) }),
  }),
  operatorCommand({
    name: 'admin token revoke',
    summary: 'End a machine token at once',
    arguments: [TOKEN],
    question: ({ args }) => `Revoke the token ${args.id}?`,
    examples: ['registry admin token revoke tok_… --yes'],
    call: ({ args }) => ({ method: 'POST', path: path`/v1/tokens/${args.id ?? ''}/revoke`, body: {} }),
    done: ({ args }) => `revoked ${args.id}`,
  }),
  clientCommand({
    name: 'admin dlq list',
    summary: 'Deliveries that were given up after their last attempt',
    isPaged: true,
    examples: ['registry admin dlq list'],
    run: (session) =>
      printList(session, {
        read: cursorPages<DeadLetter>(session.api, { path: '/v1/webhooks/dlq', key: 'items' }),
        columns: DEAD_COLUMNS,
        none: 'no delivery was given up',
      }),
  }),
  operatorCommand({
    name: 'admin dlq replay',
    summary: 'Send a delivery of the list again',
    arguments: [{ name: 'delivery', help: 'id of the delivery' }],
    examples: ['registry admin dlq replay dlv_…'],
    call: ({ args }) => ({ method: 'POST', path: path`/v1/webhooks/dlq/${args.delivery ?? ''}/replay`, body: {} }),
  }),
  operatorCommand({
    name: 'admin dlq drop',
    summary: 'Take a delivery off the list; its log stays',
    arguments: [{ name: 'delivery', help: 'id of the delivery' }],
    question: ({ args }) => `Drop ${args.delivery}?`,
    examples: ['registry admin dlq drop dlv_… --yes'],
    call: ({ args }) => ({ method: 'DELETE', path: path`/v1/webhooks/dlq/${args.delivery ?? ''}` }),
    done: ({ args }) => `dropped ${args.delivery}`,
  }),
  clientCommand({
    name: 'admin stuck',
    summary: 'Sources of which none of the last attempts succeeded',
    flags: {
      window: { type: 'string', value: 'n', help: 'how many attempts are looked at; 5 unless given' },
      'min-attempts': { type: 'string', value: 'n', help: 'so many must have been made; 3 unless given' },
      'include-paused': { type: 'boolean', help: 'also paused sources' },
    },
    isPaged: true,
    examples: ['registry admin stuck'],
    run: (session) => {
      const { api, flags } = session;
      const query = {
        window: textFlag(flags, 'window'),
        minAttempts: textFlag(flags, 'min-attempts'),
        includePaused: flags['include-paused'] === true ? true : undefined,
      };
      const read = numberedPages<StuckSource>(api, { path: '/v1/admin/sources/stuck', query, key: 'items' });
      return printList(session, { read, columns: STUCK_COLUMNS, none: 'no source is stuck' });
    },
  }),
  clientCommand({
    name: 'admin log',
    summary: 'Fetches of all sources, newest first',
    flags: {
      source: { type: 'string', value: 'org/source', complete: 'source', help: 'only of this source' },
      org: { type: 'string', value: 'org', complete: 'org', help: 'only of this org' },
      status: { type: 'string', value: 'list', help: 'only with these outcomes: success, no_change, error, …' },
      ...TIME_FLAGS,
    },
    isPaged: true,
    examples: ['registry admin log --status error,timeout', 'registry admin log --source acme/cli --json'],
    async run(session) {
      const { api, flags } = session;
      const [org, source] = [textFlag(flags, 'org'), textFlag(flags, 'source')];
      const query = {
        org: org === undefined ? undefined : orgName(org, api.server),
        source: source === undefined ? undefined : await sourceIdOf(api, source),
        status: textFlag(flags, 'status'),
        after: textFlag(flags, 'after'),
        before: textFlag(flags, 'before'),
        envelope: true,
      };
      const read = cursorPages<FetchLogRow>(api, { path: '/v1/admin/logs/fetch', query, key: 'items' });
      return printList(session, { read, columns: FETCH_COLUMNS, none: 'no fetch matches' });
    },
  }),
  clientCommand({
    name: 'admin log audit',
    summary: 'What operators changed, newest first',
    flags: {
      actor: { type: 'string', value: 'name', help: 'only by this token' },
      action: { type: 'string', value: 'action', help: 'only this action' },
      target: { type: 'string', value: 'id', help: 'only on this entity' },
      ...TIME_FLAGS,
    },
    isPaged: true,
    examples: ['registry admin log audit --after 7d'],
    run: (session) => {
      const names = ['actor', 'action', 'target', 'after', 'before'];
      const query = Object.fromEntries(names.map((name) => [name, textFlag(session.flags, name)]));
      const read = cursorPages<AuditRow>(session.api, { path: '/v1/admin/audit', query, key: 'items' });
      return printList(session, { read, columns: AUDIT_COLUMNS, none: 'no change matches' });
    },
  }),
];
