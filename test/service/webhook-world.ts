// Webhooks for the samples of the contract test: of an account, of the operator, with deliveries that can be replayed.
import { type Context, transact } from '../../src/context.ts';
import { newId } from '../../src/domain/ids.ts';
import type { WebhookAttemptRow } from '../../src/store/schema/webhooks.ts';
import type { Client } from '../support/client.ts';
import type { Service } from '../support/service.ts';

export interface WebhookWorld {
  own: { id: string; spareId: string; deliveryId: string };
  operator: { id: string; deliveryId: string; deadId: string; spareDeadId: string };
}

// For tests that have no account.
export const NO_WEBHOOKS: WebhookWorld = {
  own: { id: 'whk_x', spareId: 'whk_x', deliveryId: 'dlv_x' },
  operator: { id: 'whk_x', deliveryId: 'dlv_x', deadId: 'dlv_x', spareDeadId: 'dlv_x' },
};

const url = 'https://hooks.example/in';

export async function makeWebhooks(
  ctx: Context,
  { service, account, org }: { service: Service; account: Client; org: string },
): Promise<WebhookWorld> {
  const make = async (client: Client, path: string): Promise<string> => {
    const answer = await client.post(path, { url, orgSlug: org });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id;
  };
  const own = await make(account, '/v1/me/webhooks');
  const operator = await make(service.root, '/v1/webhooks');
  const [first = '', second = '', third = ''] = await replayed(ctx, service.root, `/v1/webhooks/${operator}`);
  for (const id of [second, third]) await giveUp(ctx, id);
  const [mine = ''] = await replayed(ctx, account, `/v1/me/webhooks/${own}`);
  return {
    own: { id: own, spareId: await make(account, '/v1/me/webhooks'), deliveryId: mine },
    operator: { id: operator, deliveryId: first, deadId: second, spareDeadId: third },
  };
}

async function replayed(ctx: Context, client: Client, path: string): Promise<string[]> {
  await client.post(`${path}/replay`, { since: '1d' });
  const subscription = path.split('/').at(-1) ?? '';
  const rows = await ctx.store.read
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('subscription_id', '=', subscription)
    .execute();
  return rows.map(({ id }) => id);
}

// Sets the state after the last attempt.
export async function giveUp(ctx: Context, id: string): Promise<void> {
  const at = ctx.clock().toISOString();
  await transact(ctx, async ({ tx }) => {
    const delivery = await tx
      .updateTable('webhook_deliveries')
      .set({ state: 'done', attempt: 7, dead_at: at, done_at: at })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const row: WebhookAttemptRow = {
      id: newId('att', ctx.randomBytes),
      delivery_id: id,
      subscription_id: delivery.subscription_id,
      event_id: delivery.event_id,
      attempt: 7,
      outcome: 'dlq',
      http_status: 503,
      error_code: 'http_5xx',
      error_message: 'busy',
      latency_ms: 40,
      format: 'json',
      replay: 1,
      next_attempt_at: null,
      created_at: at,
    };
    await tx.insertInto('webhook_attempts').values(row).execute();
  });
}
