import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceWords } from '../pages/account/security.ts';

const CASES: [userAgent: string | null, words: string][] = [
  [null, 'Unknown device'],
  ['', 'Unknown device'],
  ['curl/8.9.1', 'curl'],
  ['registry-cli/0.2.0 (linux)', 'registry-cli'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1',
    'Safari on iOS',
  ],
  [`${'x'.repeat(500)} y`, 'x'.repeat(40)],
];

for (const [userAgent, words] of CASES) {
  test(`${String(userAgent).slice(0, 60)} → ${words}`, () => assert.equal(deviceWords(userAgent), words));
}
