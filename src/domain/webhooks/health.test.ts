import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deliveryHealth, deliveryHealthSummary, type HealthInfo } from './health.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString();
const facts = (more: Partial<HealthInfo> = {}): HealthInfo => ({
  enabled: true,
  disabledReason: null,
  consecutiveFailures: 0,
  failureStreakStartedAt: null,
  lastSuccessAt: null,
  ...more,
});
const streak = (consecutiveFailures: number, hours: number) =>
  facts({ consecutiveFailures, failureStreakStartedAt: hoursAgo(hours) });

describe('delivery health', () => {
  for (const [name, given, health, summary] of [
    ['before any delivery', facts(), 'healthy', 'Nothing delivered yet'],
    [
      'after a success',
      facts({ lastSuccessAt: hoursAgo(1) }),
      'healthy',
      'Delivering; last success 2026-03-10T11:00:00.000Z',
    ],
    ['first failure', streak(1, 0), 'degraded', 'Degraded: 1 event failed since 2026-03-10T12:00:00.000Z'],
    ['four events, long', streak(4, 35.99), 'degraded', 'Degraded: 4 events failed since 2026-03-09T00:00:36.000Z'],
    ['two events, very long', streak(2, 400), 'degraded', `Degraded: 2 events failed since ${hoursAgo(400)}`],
    ['three events in 36 hours', streak(3, 36), 'failing', `Failing: 3 events failed since ${hoursAgo(36)}`],
    ['five events at once', streak(5, 0), 'failing', `Failing: 5 events failed since ${hoursAgo(0)}`],
    ['disabled wins', { ...streak(9, 99), enabled: false }, 'paused', 'Paused'],
    [
      'disabled with a reason',
      facts({ enabled: false, disabledReason: 'paused\nby owner' }),
      'paused',
      'Paused: paused by owner',
    ],
  ] as const) {
    it(`${name}: ${health}`, () => {
      assert.equal(deliveryHealth(given, NOW), health);
      assert.equal(deliveryHealthSummary(given, NOW), summary);
    });
  }
});
