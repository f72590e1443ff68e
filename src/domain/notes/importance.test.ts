import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSecurityRelease } from './importance.ts';

import { readBody } from './read-body.ts';

describe('isSecurityRelease', () => {
  const cases: [boolean, string, string?][] = [
    [true, '- Escape names (CVE-2024-1234)'],
    [true, '- Escape names, see ghsa-abcd-1234-efgh'],
    [true, '### Security\n\n- Names are escaped'],
    [true, '### Fixed\n\n- A crash\n\n### Security\n\nNames are escaped everywhere.'],
    [true, '- security: escape names'],
    [true, '- Fixed a crash', '2.0.1 security release'],
    [false, '- Fixed a crash'],
    [false, '- Added a page with security settings'],
    [false, '### Security\n\n### Fixed\n\n- A crash'],
    [false, '- Moved CVE-2024 to another list'],
    [false, ''],
  ];
  for (const [expected, content, title = '2.0.1'] of cases) {
    it(`${expected}: ${JSON.stringify(content)}`, () => {
      assert.equal(isSecurityRelease(title, readBody(content)), expected);
    });
  }
});
