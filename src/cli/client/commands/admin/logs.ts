// Operator commands for the fetch log, stuck sources and the audit log.
import type { AuditLog, FetchLogItem, StuckSource } from '../../../../contract/admin-logs.ts';
import { textFlag } from '../../../command.ts';
import { clientCommand } from '../../client-command.ts';
import { cursorPages, numberedPages, printList } from '../../paging.ts';
import { orgName, sourceIdOf } from '../../references.ts';
import type { Column } from '../../table.ts';
import { day, scoped } from '../../views.ts';

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

const FETCH_COLUMNS: readonly Column<FetchLogItem>[] = [
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

type AuditRow = AuditLog['items'][number];

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

export const adminLogCommands = [
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
      const read = cursorPages<FetchLogItem>(api, { path: '/v1/admin/logs/fetch', query, key: 'items' });
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
