import assert from 'node:assert/strict';
import { it } from 'node:test';
import { calendarOf } from './calendar.ts';

const version = (text: string, date: string | null, noted = true) => ({ version: text, date, noted });
const day = (text: string) => `${text}T00:00:00.000Z`;

it('majors, proven breaks between them, floors, versions without notes, and what was compared', () => {
  const rising = [
    version('1.0.0', day('2024-01-01')),
    version('1.0.1', day('2024-02-01'), false),
    version('1.1.0', null),
    version('2.0.0', day('2025-01-01')),
    version('2.0.1', day('2025-06-01')),
  ];
  const steps = [
    { from: '1.0.1', to: '1.1.0', proven: 1, node: null },
    { from: '1.1.0', to: '2.0.0', proven: 2, node: '>=20' },
    { from: '2.0.0', to: '2.0.1', proven: 1, node: null },
    { from: '1.0.0', to: '2.0.1', proven: 4, node: null },
  ];
  const calendar = calendarOf(rising, steps.slice(0, 3));
  assert.deepEqual(calendar?.majors, [{ version: '2.0.0', date: day('2025-01-01') }]);
  assert.deepEqual(calendar?.breaks, [{ version: '2.0.1', date: day('2025-06-01'), from: '2.0.0' }]);
  assert.deepEqual(calendar?.floors, [{ version: '2.0.0', date: day('2025-01-01'), node: '>=20' }]);
  assert.deepEqual(calendar?.unnoted, [{ version: '1.0.1', date: day('2024-02-01') }]);
  assert.deepEqual(calendar?.compared, [{ since: day('2025-01-01'), until: day('2025-06-01') }]);
  assert.deepEqual(calendarOf(rising, steps)?.compared, [{ since: day('2024-01-01'), until: day('2025-06-01') }]);
});

it('without two dates there is no calendar', () => {
  assert.equal(calendarOf([version('1.0.0', null), version('2.0.0', day('2025-01-01'))], []), null);
});
