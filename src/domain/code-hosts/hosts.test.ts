import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readFolderListing, readHostedReleases } from './documents.ts';
import { fileAddress, knownCodeHosts, releasesAddress, repositoryAt } from './hosts.ts';

const HOSTS = knownCodeHosts(
  'forgejo=https://git.acme.example/code, gitlab=https://user:pw@lab.example, tar=https://x.example',
);

const ADDRESSES: [address: string, releases: string | null, file?: string][] = [
  [
    'https://github.com/acme/lamp',
    'https://api.github.com/repos/acme/lamp/releases?per_page=100',
    'https://raw.githubusercontent.com/acme/lamp/HEAD/docs/a%20b.md',
  ],
  ['https://www.github.com/acme/lamp.git', 'https://api.github.com/repos/acme/lamp/releases?per_page=100'],
  ['https://github.com/acme/lamp/tree/main/packages/x', 'https://api.github.com/repos/acme/lamp/releases?per_page=100'],
  [
    'https://gitlab.com/acme/tools/lamp.git',
    'https://gitlab.com/api/v4/projects/acme%2Ftools%2Flamp/releases?per_page=100',
    'https://gitlab.com/acme/tools/lamp/-/raw/HEAD/docs/a%20b.md',
  ],
  ['https://gitlab.com/acme/lamp/-/tree/main', 'https://gitlab.com/api/v4/projects/acme%2Flamp/releases?per_page=100'],
  [
    'https://codeberg.org/acme/lamp',
    'https://codeberg.org/api/v1/repos/acme/lamp/releases?limit=50',
    'https://codeberg.org/api/v1/repos/acme/lamp/raw/docs/a%20b.md',
  ],
  ['https://git.acme.example/code/acme/lamp', 'https://git.acme.example/code/api/v1/repos/acme/lamp/releases?limit=50'],
  ['https://git.acme.example/acme/lamp', null],
  ['https://github.com.evil.example/acme/lamp', null],
  ['https://github.com/acme', null],
  ['https://github.com/acme/..', null],
  ['https://github.com/acme/%2e%2e', null],
  ['https://lab.example/acme/lamp', null],
  ['https://bitbucket.org/acme/lamp', null],
  ['http://169.254.169.254/acme/lamp', null],
  ['no address', null],
];

for (const [address, releases, file] of ADDRESSES) {
  it(`the code host of ${address}`, () => {
    const repository = repositoryAt(address, HOSTS);
    assert.equal(repository && releasesAddress(repository), releases);
    if (file) assert.equal(repository && fileAddress(repository, 'docs/a b.md'), file);
  });
}

it('releases are read in the shape of each host, and nothing else passes for them', () => {
  const github = [
    { id: 1, tag_name: 'v2.0.0', name: 'Two', body: 'Gone', draft: false, prerelease: true },
    { id: 2, tag_name: 'v3.0.0', name: null, body: null, draft: true },
    { id: 3, tag_name: 'v1.0.0' },
    { id: 'x', tag_name: 'v0.9.0' },
    null,
  ];
  assert.deepEqual(readHostedReleases(github, { kind: 'github' }), {
    releases: [
      { tag: 'v2.0.0', title: 'Two', body: 'Gone', prerelease: true },
      { tag: 'v1.0.0', title: '', body: '', prerelease: false },
    ],
    entries: 5,
  });
  const gitlab = [{ tag_name: 'v2.0.0', name: 'Two', description: 'Gone', upcoming_release: false }, { tag_name: 7 }];
  assert.deepEqual(readHostedReleases(gitlab, { kind: 'gitlab' })?.releases, [
    { tag: 'v2.0.0', title: 'Two', body: 'Gone', prerelease: false },
  ]);
  assert.deepEqual(readHostedReleases([], { kind: 'gitea' }), { releases: [], entries: 0 });
  for (const other of [{ message: 'Not Found' }, 'x', null, [1, 2], Array(1_001).fill({ id: 1, tag_name: 'v1' })]) {
    assert.equal(readHostedReleases(other, { kind: 'github' }), null);
  }
});

it('a folder is the list of its files', () => {
  const listing = [
    { type: 'file', path: 'docs/CHANGES.md', size: 10 },
    { type: 'dir', path: 'docs/img', size: 0 },
    { type: 'file', path: 7, size: 1 },
  ];
  assert.deepEqual(readFolderListing(listing), [{ path: 'docs/CHANGES.md', size: 10 }]);
  assert.equal(readFolderListing({ type: 'file' }), null);
});
