import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { archiveToken } from './addresses.ts';

describe('the token for an archive', () => {
  const cases: [registry: string, archive: string, isSent: boolean][] = [
    ['https://npm.acme.example', 'https://npm.acme.example/@acme/forms/-/forms-1.0.0.tgz', true],
    ['https://host.example/npm', 'https://host.example/npm/forms/-/forms-1.0.0.tgz', true],
    ['https://host.example/npm', 'https://host.example/npm/@acme%2fforms/-/forms-1.0.0.tgz', true],
    ['https://host.example/npm', 'https://host.example/npm-internal/forms.tgz', false],
    ['https://host.example/npm', 'https://host.example/admin/dump', false],
    ['https://host.example/npm', 'https://host.example/npm/../admin/dump', false],
    ['https://host.example/npm', 'https://host.example/npm/%2e%2e/admin/dump', false],
    ['https://host.example/npm', 'https://host.example/npm/..%2fadmin/dump', false],
    ['https://host.example/npm', 'https://host.example/npm/x%2f%2e.%5cadmin', false],
    ['https://host.example/npm', 'https://other.example/npm/forms.tgz', false],
    ['https://host.example/npm', 'http://host.example/npm/forms.tgz', false],
    ['https://host.example/npm', 'no address', false],
  ];
  for (const [url, archive, isSent] of cases) {
    it(`of ${url} is ${isSent ? '' : 'not '}sent to ${archive}`, () => {
      const registry = { ecosystem: 'npm', scope: '@acme', url, token: 'secret' } as const;
      assert.equal(archiveToken(registry, archive), isSent ? 'secret' : null);
      assert.equal(archiveToken({ ...registry, token: null }, archive), null);
    });
  }
});
