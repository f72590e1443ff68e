// A claimed delivery, with what its attempt needs.
import type { WebhookDeliveryRow, WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';

export const LEASE_MS = 60_000;

// Lower numbers are sent first.
export const PRIORITY = { test: 0, live: 1, replay: 2 } as const;

export type WaitingDelivery = Pick<
  WebhookDeliveryRow,
  'id' | 'event_id' | 'event_seq' | 'replay' | 'attempt' | 'priority' | 'due_at' | 'body'
>;

export interface ClaimedDelivery extends WaitingDelivery {
  // The end of the lease, which proves that this worker still holds the delivery.
  leaseUntil: string;
  // The row at the time of the claim, whose address, key and format are used.
  subscription: WebhookSubscriptionRow;
  payload: string;
}

export function isTest({ priority }: Pick<WebhookDeliveryRow, 'priority'>): boolean {
  return priority === PRIORITY.test;
}

export function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
