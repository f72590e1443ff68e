import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnreadWeek } from './unread-week.ts';

const record = {
  weekStart: '2026-03-02',
  weekEnd: '2026-03-09',
  wasRead: false,
  hasFailed: false,
  logBegins: '2026-01-05T08:00:00.000Z',
  failingSince: null,
  isScheduled: true,
  now: '2026-03-31T12:00:00.000Z',
};

const CASES: [string, Partial<Parameters<typeof isUnreadWeek>[0]>, boolean][] = [
  ['read once in the week', { wasRead: true, hasFailed: true }, false],
  ['every check failed', { hasFailed: true }, true],
  ['no check came although one was due', {}, true],
  ['no check was due: the source is paused', { isScheduled: false }, false],
  ['paused later, but the checks of the week failed', { isScheduled: false, hasFailed: true }, true],
  ['the log begins within the week', { logBegins: '2026-03-04T08:00:00.000Z' }, false],
  ['never fetched: an operator writes its releases', { logBegins: null }, false],
  ['failing since before the week, log emptied', { logBegins: null, failingSince: '2026-02-20T08:00:00.000Z' }, true],
  ['failing since a day of the week, read before', { wasRead: true, failingSince: '2026-03-04T08:00:00.000Z' }, false],
  ['a running week is not judged yet', { now: '2026-03-05T00:00:00.000Z', hasFailed: true }, false],
  [
    'a running week of a failure that began before it',
    { now: '2026-03-05T00:00:00.000Z', failingSince: '2026-03-01T23:00:00.000Z' },
    true,
  ],
  ['a week to come', { now: '2026-02-27T00:00:00.000Z', failingSince: '2026-02-01T00:00:00.000Z' }, false],
];

for (const [title, over, expected] of CASES) {
  test(`an unread week: ${title}`, () => assert.equal(isUnreadWeek({ ...record, ...over }), expected));
}
