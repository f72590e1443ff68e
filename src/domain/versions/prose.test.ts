import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionInProse } from './index.ts';

type Row = [title: string, names: string[], version: string | null];

const ROWS: Row[] = [
  ['v2.1.0 — Faster sync', [], '2.1.0'],
  ['Release 4.2.0-rc.1', [], '4.2.0-rc.1'],
  ['[1.4.0] - 2024-02-01', [], '1.4.0'],
  ['2024.03 release', [], '2024.03'],
  ['Acme CLI 2.4 is out', ['Acme CLI'], '2.4'],
  ['Introducing Acme 3.0', ['Acme'], '3.0'],
  ['Next.js 15', ['Next.js'], '15'],
  ['Version 12', [], '12'],
  ['ver 0.9.10', [], '0.9.10'],
  ['Security release: 1.2.9', [], '1.2.9'],
  ['Changes in 1.2.9', [], '1.2.9'],
  ['3.2 beta 2 available', [], '3.2 beta 2'],
  ['Added support for Python 3.13', ['Acme'], null],
  ['Python 3.13.0 support', ['Acme'], null],
  ['Bump lodash to 4.17.21', ['Acme'], null],
  ['March 2024 Update', ['Acme'], null],
  ['Acme 2024 roadmap', ['Acme'], null],
  ['Save 2.5% on fees', ['Acme'], null],
  ['Builds are 1.5x faster', ['Acme'], null],
  ['10.30 am maintenance', ['Acme'], null],
  ['Filters and API v2', ['Acme'], null],
];

// Titles beyond the table that the prose of the rule decides.
const FURTHER_ROWS: Row[] = [
  ["2024-02-01, Version 20.11.0 'Iron' (LTS), @someone", [], '20.11.0'],
  ['@acme/core@3.1.0', ['@acme/core'], '3.1.0'],
  ['React 18.2.0 (June 14, 2022)', ['React'], '18.2.0'],
  ['v2.0.0-beta.3 / February 1st, 2024', [], '2.0.0-beta.3'],
  ['1.2.3 / 2024-02-01', [], '1.2.3'],
  ['What’s new in Acme 3.2', ['acme'], '3.2'],
  ['acme-cli 2.4', ['Acme CLI'], '2.4'],
  ['Filters and API v2.1', [], '2.1'],
  ['Upgrade to v2.1', [], null],
  ['Upgrade to version 2.1', [], null],
  ['3.13.0a2', [], '3.13.0a2'],
  ['Acme 5.0 M3', ['Acme'], '5.0 M3'],
  ['Acme 3.0 a11y work', ['Acme'], '3.0'],
  ['Acme 4.0 preview', ['Acme'], '4.0 preview'],
  ['Acme 4.0 next steps', ['Acme'], '4.0'],
  ['Acme 4.0 beta 3 days early', ['Acme'], '4.0 beta'],
  ['Acme 2.0-beta-testers wanted', ['Acme'], '2.0-beta'],
  ['v4.3.0-candidate.0 is out', [], '4.3.0-candidate.0'],
  ['v1.2.3-compatible plugins', [], '1.2.3'],
  ['v1.2.3+build.5', [], '1.2.3+build.5'],
  ['5.0.0.Final', [], '5.0.0.Final'],
  ['Acme 1.2.3.', ['Acme'], '1.2.3'],
  ['1.2.3.4', [], '1.2.3.4'],
  ['1.2.3.4.5', [], null],
  ['1.2.3-1.2.5', [], null],
  ['$2.50 off', [], null],
  ['€2.50 off', [], null],
  ['#2.5', [], null],
  ['HTTP/1.1', [], null],
  ['S3', [], null],
  ['i18n', [], null],
  ['2.5 million users', [], null],
  ['3 new features', [], null],
  ['v2 is here', [], '2'],
  ['Release 7', [], '7'],
  ['Build 4567', [], '4567'],
  ['Weekly update #12', [], null],
  ['Next.js 15 RC 2', ['Next.js'], '15 RC 2'],
  ['Acme: 15 ways to save', ['Acme'], null],
  ['Office 365 news', ['Office 365'], null],
  ['Winter 24', ['Acme'], null],
];

describe('versionInProse', () => {
  for (const [title, names, version] of [...ROWS, ...FURTHER_ROWS]) {
    it(`${title} (${names.join(', ')})`, () => assert.equal(versionInProse(title, names), version));
  }

  it('comes to an end on hostile titles', () => {
    for (const unit of ['1', '1.', '1.2 ', 'v', '-', '1-a', 'a ', '1.2-a.', ' beta', '1+a.-']) {
      const found = versionInProse(unit.repeat(100_000), ['Acme']);
      assert.ok(found === null || found.length < 200);
    }
  });
});
