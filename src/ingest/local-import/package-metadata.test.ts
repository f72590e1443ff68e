import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeSource } from './describe.ts';
import { readPackageJson, readRepository } from './package-metadata.ts';

describe('repository of a package', () => {
  const engine = { coordinate: 'acme/engine', owner: 'Acme', name: 'Engine', directory: null };
  const rows: [unknown, object | null][] = [
    ['Acme/Engine', engine],
    ['github:Acme/Engine', engine],
    ['https://github.com/Acme/Engine', engine],
    ['git+https://github.com/Acme/Engine.git', engine],
    ['git+ssh://git@github.com/Acme/Engine.git', engine],
    ['git@github.com:Acme/Engine.git', engine],
    ['git+ssh://git@github.com:Acme/Engine.git', engine],
    ['ssh://git@github.com:22/Acme/Engine.git', engine],
    ['ssh://git@github.com/Acme/Engine', engine],
    ['git+https://token@github.com/Acme/Engine.git', engine],
    ['github.com/Acme/Engine', engine],
    ['org-1234@github.com:Acme/Engine.git', engine],
    ['git@gitlab.example:Acme/Engine.git', null],
    ['git://github.com/Acme/Engine.git#main', engine],
    [{ type: 'git', url: 'https://github.com/Acme/Engine.git' }, engine],
    [
      { type: 'git', url: 'https://github.com/Acme/Engine', directory: './packages/core/' },
      { ...engine, directory: 'packages/core' },
    ],
    [
      { type: 'git', url: 'https://github.com/Acme/Engine', directory: '.' },
      { ...engine, directory: '' },
    ],
    ['https://github.com/Acme/Engine/tree/main/packages/core', { ...engine, directory: 'packages/core' }],
    [{ url: 'https://github.com/Acme/Engine', directory: '../elsewhere' }, engine],
    ['https://gitlab.example/Acme/Engine', null],
    ['gitlab:Acme/Engine', null],
    ['gist:11081aaa281', null],
    ['acme.example/engine', null],
    [{ type: 'git' }, null],
    [42, null],
    [undefined, null],
  ];
  for (const [repository, expected] of rows) {
    it(JSON.stringify(repository) ?? 'none', () => {
      const metadata = readPackageJson(JSON.stringify({ name: 'engine', repository }));

      assert.deepEqual(metadata?.repository, expected);
    });
  }

  it('keeps the spelling of owner and name where both are alike', () => {
    assert.deepEqual(readRepository('https://github.com/Foo/foo'), {
      coordinate: 'foo/foo',
      owner: 'Foo',
      name: 'foo',
      directory: null,
    });
  });
});

describe('package.json', () => {
  it('is read with whatever is usable in it', () => {
    const text = JSON.stringify({
      name: '@acme/core',
      version: 7,
      homepage: 'not an address',
      author: 'Jane Doe <jane@acme.example> (https://acme.example)',
      private: 'yes',
    });

    assert.deepEqual(readPackageJson(`\ufeff${text}`), {
      name: '@acme/core',
      version: null,
      isPrivate: false,
      repository: null,
      homepage: null,
      scope: 'acme',
      author: 'Jane Doe',
    });
    assert.equal(readPackageJson('{ name:'), null);
    assert.equal(readPackageJson('[]'), null);
  });
});

describe('where a package belongs', () => {
  const describeJson = (json: object, given = {}) => {
    const metadata = readPackageJson(JSON.stringify(json));
    const found = describeSource({ label: '', metadata, path: null, root: null, directory: null }, given);
    return (
      found && { type: found.type, name: found.name, org: found.org?.name ?? null, url: found.url, npm: found.npm }
    );
  };
  const rows: [string, object, object][] = [
    [
      'the repository and its owner',
      { name: '@scope/core', repository: 'Acme/Engine', author: 'Jane' },
      { type: 'github', name: 'Engine', org: 'Acme', url: 'https://github.com/Acme/Engine', npm: '@scope/core' },
    ],
    [
      'else the scope and the homepage',
      { name: '@scope/core', homepage: 'https://core.example/', author: 'Jane' },
      { type: 'scrape', name: '@scope/core', org: 'scope', url: 'https://core.example/', npm: '@scope/core' },
    ],
    [
      'else the author and the page in the package registry',
      { name: 'core', author: { name: 'Jane Doe' } },
      { type: 'scrape', name: 'core', org: 'Jane Doe', url: 'https://www.npmjs.com/package/core', npm: 'core' },
    ],
    [
      'nobody and nowhere, when it is not published',
      { name: 'core', private: true },
      { type: 'scrape', name: 'core', org: null, url: null, npm: null },
    ],
  ];
  for (const [name, json, expected] of rows) it(name, () => assert.deepEqual(describeJson(json), expected));

  it('takes what was said on the command line for a file without metadata', () => {
    const plain = { label: '', metadata: null, path: '/x', root: null, directory: null };

    assert.equal(describeSource(plain, {}), null);
    assert.deepEqual(describeSource(plain, { org: 'Acme', name: 'Engine' }), {
      type: 'scrape',
      name: 'Engine',
      org: { name: 'Acme', github: null },
      packageName: null,
      npm: null,
      url: null,
    });
    const named = describeSource(plain, { org: 'Acme Inc', name: 'Engine', url: 'https://github.com/acme/engine' });
    assert.deepEqual([named?.type, named?.org?.name], ['github', 'Acme Inc']);
  });
});
