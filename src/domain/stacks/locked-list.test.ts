import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lockedList } from './locked-list.ts';

const names = (text: string, filename?: string) =>
  lockedList({ text, ...(filename && { filename }) })?.packages.map((one) => `${one.package} ${one.version}`);

describe('the packages of a lockfile', () => {
  it('leave out what another registry has', () => {
    const lockfile = {
      lockfileVersion: 3,
      packages: {
        '': {},
        'node_modules/left': { version: '1.0.0', resolved: 'https://registry.npmjs.org/left/-/left-1.0.0.tgz' },
        'node_modules/@acme/ours': { version: '2.0.0', resolved: 'https://npm.acme.example/ours-2.0.0.tgz' },
        'node_modules/bare': { version: '3.0.0' },
      },
    };
    assert.deepEqual(names(JSON.stringify(lockfile)), ['bare 3.0.0', 'left 1.0.0']);
    const yarn =
      '# yarn lockfile v1\n\nleft@^1.0.0:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/left/-/left-1.0.0.tgz#abc"\n\n"@acme/ours@^2.0.0":\n  version "2.0.0"\n  resolved "https://npm.acme.example/ours-2.0.0.tgz#abc"\n';
    assert.deepEqual(names(yarn, 'yarn.lock'), ['left 1.0.0']);
    const uv =
      'version = 1\n\n[[package]]\nname = "left"\nversion = "1.0"\nsource = { registry = "https://pypi.org/simple" }\n\n[[package]]\nname = "ours"\nversion = "2.0"\nsource = { registry = "https://pypi.acme.example/simple" }\n';
    assert.deepEqual(names(uv, 'uv.lock'), ['left 1.0']);
  });

  it('are null for a text of no known kind', () => assert.equal(lockedList({ text: 'hello' }), null));
});
