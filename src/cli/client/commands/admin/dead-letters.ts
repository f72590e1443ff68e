// Operator commands for deliveries that failed for good.
import type { DeadLetters } from '../../../../contract/webhooks.ts';
import { path } from '../../api.ts';
import { clientCommand } from '../../client-command.ts';
import { operatorCommand } from '../../operator-command.ts';
import { cursorPages, printList } from '../../paging.ts';
import type { Column } from '../../table.ts';

type DeadLetter = DeadLetters['items'][number];

const DEAD_COLUMNS: readonly Column<DeadLetter>[] = [
  { title: 'TIME', value: ({ timestamp }) => timestamp },
  { title: 'DELIVERY', value: ({ delivery_id }) => delivery_id },
  { title: 'WEBHOOK', value: ({ subscriptionId }) => subscriptionId },
  { title: 'HOST', value: ({ host }) => host },
  { title: 'STATUS', value: ({ http_status }) => http_status || '' },
  { title: 'ERROR', value: ({ error_message }) => error_message, flexible: true },
];

export const adminDeadLetterCommands = [
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
];
