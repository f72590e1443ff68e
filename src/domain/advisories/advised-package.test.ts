// The sentence on an installed version that advisories cover. It never comforts over what nobody read.
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { ReportRow } from '../upgrade/report/row.ts';
import { makeUse } from '../uses/use.ts';
import { type AdvisedPackage, advisedWords } from './advised-package.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const rule = { minutes: 7 * 24 * 60, from: '.npmrc (min-release-age)', fault: null, isExcepted: false, readyAt: null };
const GHSA = { id: 'GHSA-zzzz-1', aliases: [], summary: null };

const step = (given: Partial<ReportRow>): ReportRow => ({
  ecosystem: 'npm',
  package: 'lamp',
  from: '3.4.0',
  to: '3.4.13',
  direct: true,
  dev: false,
  as: [],
  copies: 1,
  workspaces: [],
  judgement: 'breaks',
  security: false,
  verdict: 'major',
  reason: '',
  firstBreak: null,
  undocumented: false,
  findings: [],
  steps: [],
  moreSteps: 0,
  counts: { versions: 1, withoutNotes: 0, proven: 1, likely: 0 },
  ...given,
});

const advised = (given: Partial<AdvisedPackage>): AdvisedPackage => ({
  ecosystem: 'npm',
  name: 'lamp',
  version: '3.4.0',
  direct: true,
  problems: [GHSA],
  undecided: [],
  smallest: '3.4.13',
  smallestInLine: '3.4.13',
  smallestOutOfCooldown: '3.4.13',
  readyAt: null,
  unlisted: null,
  cooldown: null,
  bot: null,
  step: null,
  ...given,
});

const unknown = 'what else it changes is not known.';
const used = { use: 'used', places: [{ file: 'src/a.ts', line: 4 }], count: 1 } as const;

const CASES: readonly [given: Partial<AdvisedPackage>, words: string][] = [
  [
    {
      cooldown: { ...rule, readyAt: '2026-11-24T08:00:00Z' },
      readyAt: '2026-11-24T08:00:00Z',
      smallestOutOfCooldown: null,
      step: step({ use: makeUse('not_used') }),
    },
    'Fixes GHSA-zzzz-1: 3.4.13 is the smallest; your 7-day rule allows it on 24 Nov; nothing you use changes.',
  ],
  [{}, `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; ${unknown}`],
  [{ smallestInLine: null }, `Fixes GHSA-zzzz-1: 3.4.13 is the smallest, on another line; ${unknown}`],
  [{ cooldown: rule }, `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; your 7-day rule allows it; ${unknown}`],
  [{ cooldown: { ...rule, minutes: 0 } }, `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; ${unknown}`],
  [
    { cooldown: { ...rule, minutes: 36 * 60 }, smallestOutOfCooldown: null },
    `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; when your 36-hour rule allows it is not known; ${unknown}`,
  ],
  [
    { cooldown: { ...rule, minutes: 90, isExcepted: true } },
    `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; your 90-minute rule is not for it; ${unknown}`,
  ],
  [
    { cooldown: { ...rule, minutes: null, fault: '.npmrc: “soon” is no number of days' }, smallestOutOfCooldown: null },
    `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; your rule cannot be read: .npmrc: “soon” is no number of days; ${unknown}`,
  ],
  [
    {
      cooldown: rule,
      readyAt: '2027-01-02T00:00:00Z',
      smallestOutOfCooldown: '3.5.0',
      bot: { ...rule, readyAt: '2027-01-05T00:00:00Z' },
    },
    `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; your 7-day rule allows it on 2 Jan 2027, and 3.5.0 now; Renovate waits until 5 Jan 2027; ${unknown}`,
  ],
  [
    { bot: { ...rule, minutes: null, fault: 'renovate.json: “x”' } },
    `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; how long Renovate waits cannot be read: renovate.json: “x”; ${unknown}`,
  ],
  [{ step: step({ judgement: 'not_known' }) }, `Fixes GHSA-zzzz-1: 3.4.13 is the smallest; ${unknown}`],
  [{ step: step({ judgement: 'no_sign' }) }, 'Fixes GHSA-zzzz-1: 3.4.13 is the smallest; no sign of a break.'],
  [{ step: step({ use: used }) }, 'Fixes GHSA-zzzz-1: 3.4.13 is the smallest; it breaks, and you use it (src/a.ts:4).'],
  // Nothing is promised over versions that nobody read, for generated files, or where only other packages use it.
  [
    { step: step({ use: { ...makeUse('unclear'), unseen: '7 of 12 versions have no notes' } }) },
    'Fixes GHSA-zzzz-1: 3.4.13 is the smallest; it breaks; whether you use it cannot be told; 7 of 12 versions have no notes, so behaviour was not seen.',
  ],
  [
    { step: step({ direct: false, use: makeUse('not_used') }) },
    'Fixes GHSA-zzzz-1: 3.4.13 is the smallest; it breaks, but you use none of the changed names.',
  ],
  [
    { step: step({ use: makeUse('not_imported') }) },
    'Fixes GHSA-zzzz-1: 3.4.13 is the smallest; it breaks, but nothing here imports it.',
  ],
  [
    { problems: ['A', 'B', 'C', 'D', 'E'].map((id) => ({ ...GHSA, id })) },
    `Fixes A, B, C and 2 more: 3.4.13 is the smallest; ${unknown}`,
  ],
  [
    { problems: [GHSA, { ...GHSA, id: 'CVE-2026-1' }], smallest: null, smallestInLine: null },
    'GHSA-zzzz-1 and CVE-2026-1: no published version above it is clear.',
  ],
  [
    { smallest: null, smallestInLine: null, unlisted: 'not asked: offline' },
    'GHSA-zzzz-1: which version clears it is not known: not asked: offline.',
  ],
  [{ problems: [], undecided: ['INV-9'], smallest: null }, 'Whether INV-9 covers it cannot be told.'],
];

describe('the words on an installed version', () => {
  for (const [given, words] of CASES) it(words, () => assert.equal(advisedWords(advised(given), NOW), words));
});
