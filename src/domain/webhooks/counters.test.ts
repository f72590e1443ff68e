import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Counters, counted, disablingRule, NO_FAILURES } from './counters.ts';
import type { AttemptOutcome } from './retry-schedule.ts';

const AT = '2026-03-10T12:00:00.000Z';
const EARLIER = '2026-03-08T12:00:00.000Z';
const counters = (failures: number, lost: number, streak: string | null = EARLIER): Counters => ({
  consecutiveFailures: failures,
  consecutiveLostEvents: lost,
  failureStreakStartedAt: streak,
});

describe('counting', () => {
  for (const [name, before, outcome, attempt, after] of [
    ['the first failure starts a streak', NO_FAILURES, 'retry', 1, counters(1, 0, AT)],
    ['a later attempt of the same event adds nothing', counters(1, 0), 'retry', 2, counters(1, 0)],
    ['another event does', counters(1, 0), 'retry', 1, counters(2, 0)],
    ['an event refused at once is a failure and lost', counters(2, 1), 'perm_fail', 1, counters(3, 2)],
    ['an event refused later is lost', counters(2, 1), 'perm_fail', 3, counters(2, 2)],
    ['an event given up is lost', counters(2, 1), 'dlq', 7, counters(2, 2)],
    ['a success ends it all', counters(9, 9), 'success', 4, NO_FAILURES],
  ] satisfies [string, Counters, AttemptOutcome, number, Counters][]) {
    it(name, () => assert.deepEqual(counted(before, { outcome, attempt, at: AT }), after));
  }
});

describe('disabling', () => {
  const now = new Date(AT);
  for (const [name, given, lane, gone, reason] of [
    ['nine lost events', counters(9, 9, AT), 'user', false, null],
    ['ten lost events', counters(2, 10, AT), 'user', false, 'auto-disabled after 10 consecutive lost events'],
    ['operators’ own have more time', counters(2, 49, AT), 'admin', false, null],
    ['but not for ever', counters(2, 50, AT), 'admin', false, 'auto-disabled after 50 consecutive lost events'],
    ['three in 48 hours', counters(3, 0), 'user', false, 'auto-disabled after 3 failing events over 48 hours'],
    ['two in 48 hours', counters(2, 0), 'user', false, null],
    ['many in less', counters(90, 0, '2026-03-08T12:00:00.001Z'), 'user', false, null],
    ['operators’ own may fail for long', counters(3, 0), 'admin', false, null],
    ['410', counters(1, 1, AT), 'admin', true, 'auto-disabled: endpoint answered 410 Gone'],
  ] satisfies [string, Counters, 'user' | 'admin', boolean, string | null][]) {
    it(name, () => assert.equal(disablingRule(given, { lane, gone, now })?.reason ?? null, reason));
  }
});
