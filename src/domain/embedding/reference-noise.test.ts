import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meaningfulTitle, withoutReferences } from './document-text.ts';

describe('references in notes', () => {
  const cases: [text: string, left: string][] = [
    ['Fix a crash on start (#2686) (abc1234)', 'Fix a crash on start'],
    ['Add a cache by @someone in https://example.test/pull/12', 'Add a cache in'],
    ['#1780 Thanks @someone! - Follow-up of the list', '- Follow-up of the list'],
    ['2223bf2: Defer the schema until first use', 'Defer the schema until first use'],
    ['Fix the tooltip (PR #15000 by someone@example.com)', 'Fix the tooltip'],
    ['Updated @acme/utils to acme-core@4.0.62', 'Updated @acme/utils to acme-core@4.0.62'],
    ['Accept arguments of append() and decade, 1234567 rows', 'Accept arguments of append() and decade, 1234567 rows'],
    ['C#7 and issue numbers such as 12', 'C#7 and issue numbers such as 12'],
    ['', ''],
  ];
  for (const [text, left] of cases) it(`"${text}"`, () => assert.equal(withoutReferences(text), left));
});

describe('what a title says beside its version', () => {
  const cases: [title: string, says: string][] = [
    ['v2.1.0', ''],
    ['Release 2.1.0 (2026-06-26)', ''],
    ['Changelog', ''],
    ['6.8.0-rc.1 - 2026-06-26', ''],
    ['Acme 2.1.0', 'Acme'],
    ['2.1.0: Dark mode for dashboards', 'Dark mode for dashboards'],
    ['Changes in authentication', 'Changes in authentication'],
    ['Bug Fixes', 'Bug Fixes'],
  ];
  for (const [title, says] of cases) it(`"${title}"`, () => assert.equal(meaningfulTitle(title), says));
});
