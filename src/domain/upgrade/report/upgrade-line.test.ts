import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AnsweredUpgrade } from './answer.ts';
import { shortRange, upgradeLine, upgradeSentence } from './upgrade-line.ts';

const answer = (over: Partial<AnsweredUpgrade> = {}): AnsweredUpgrade => ({
  status: 'resolved',
  worst: 'major',
  judgement: 'breaks',
  to: 'latest',
  fromVersion: '8.0.0',
  toVersion: '10.4.0',
  total: 2,
  summary: { breaking: { major: 1, minor: 0, none: 1, unknown: 0 } },
  entries: [],
  ...over,
});
const step = (text: string) => ({ text, versions: [], from: 'notes' as const });

it('a line names the shortest of the first steps, whole words and no markdown', () => {
  const long = step(`${'HTTPS requests made while fetching remote content '.repeat(4)}. More`);
  const table: [AnsweredUpgrade, string][] = [
    [
      answer({ steps: [long, step('Node.js 20 or newer is required. The check is gone.')] }),
      'Node.js 20 or newer is required',
    ],
    [
      answer({ steps: [step('`wrap` is gone'), step('The default of [format](https://a.test/x) is `json`.')] }),
      'wrap is gone, and the default of format is json',
    ],
    [answer({ steps: [step('Replace `a.b.c` with `d`: it is faster')] }), 'Replace a.b.c with d'],
  ];
  for (const [given, reason] of table) assert.deepEqual(upgradeLine(given), { level: 'major', reason });
  const cut = upgradeLine(answer({ steps: [long] })).reason;
  assert.ok(cut.length <= 110 && cut.endsWith('…') && !cut.includes(' …'), cut);
});

it('what is not known says why, and is never called fine', () => {
  const given = answer({ judgement: 'not_known', status: 'unknown', reason: 'no_releases' });
  const line = upgradeLine(given);
  assert.equal(line.level, 'unknown');
  assert.equal(
    upgradeSentence('lamp', { from: '1.0.0', to: '1.2.0' }, line),
    'lamp 1.0.0 → 1.2.0 is not known: no version of it is stored yet',
  );
});

it('a sentence shortens major versions and keeps names as they are written', () => {
  assert.deepEqual(shortRange('8.0.11', '10.6.0'), ['8', '10']);
  assert.deepEqual(shortRange('8', '10.6.0'), ['8', '10']);
  assert.deepEqual(shortRange('8.0.11', '8.1.0'), ['8.0.11', '8.1.0']);
  assert.deepEqual(shortRange('0.4.1', '0.5.0'), ['0.4.1', '0.5.0']);
  assert.deepEqual(shortRange('9.0.0-rc.1', '10.0.0'), ['9.0.0-rc.1', '10.0.0']);
  const said = (level: 'major' | 'minor' | 'none', reason: string) =>
    upgradeSentence('zod', { from: '3.25.76', to: '4.6.7' }, { level, reason });
  assert.equal(said('major', 'Node.js 20 is needed'), 'zod 3 → 4 breaks: Node.js 20 is needed');
  assert.equal(said('minor', 'The default is json'), 'zod 3 → 4 may break: the default is json');
  assert.equal(said('none', 'No sign of a break in 2 versions'), 'zod 3 → 4 shows no sign of a break');
});

it('a long hostile step costs no time worth telling', () => {
  for (const text of ['['.repeat(1e6), '](x'.repeat(3e5), 'a.'.repeat(5e5), ' '.repeat(1e6)]) {
    assert.ok(upgradeLine(answer({ steps: [step(text)] })).reason.length <= 110);
  }
});
