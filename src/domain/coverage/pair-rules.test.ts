import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionSort } from '../versions/index.ts';
import { pairReleases } from './pair-rules.ts';
import type { CoverableRelease, CoverableSource } from './release.ts';
import { significantWords, titleScore } from './title-words.ts';

let made = 0;

interface Sketch extends Partial<Omit<CoverableRelease, 'source'>> {
  source?: Partial<CoverableSource>;
  hours?: number;
}

function release({ source, hours = 0, ...more }: Sketch): CoverableRelease {
  made += 1;
  const text = more.versionText ?? null;
  return {
    id: `rel_${made}`,
    source: { id: `src_${made}`, type: 'feed', name: 'Blog', repository: null, isPrimary: false, ...source },
    product: null,
    title: 'A title',
    version: text === null ? null : versionSort(text),
    versionText: text,
    packagePart: null,
    type: 'feature',
    publishedAt: new Date(Date.UTC(2024, 0, 15) + hours * 3_600_000).toISOString(),
    url: null,
    contentChars: 500,
    ...more,
  };
}

const github = (repository: string): Partial<CoverableSource> => ({ type: 'github', repository, name: repository });
const NOTHING: ReadonlySet<string> = new Set();
const reasonOf = (
  a: Sketch,
  b: Sketch,
  links: (ids: [string, string, string]) => [number, string[]] = () => [0, []],
) => {
  const [x, y, other] = [release(a), release(b), release({})];
  const [from, targets] = links([x.id, y.id, other.id]);
  const source = from === 0 ? x.id : y.id;
  const facts = { orgName: 'Acme', linksTo: (id: string) => (id === source ? new Set(targets) : NOTHING) };
  const [pairing, mirrored] = [pairReleases(x, y, facts), pairReleases(y, x, facts)];
  assert.deepEqual(pairing, mirrored);
  return pairing?.reason ?? null;
};

describe('two releases of one launch', () => {
  const engine = { id: 'prod_1', name: 'Engine' };
  const cases: [name: string, a: Sketch, b: Sketch, reason: string | null][] = [
    [
      'a repository and the blog of its product',
      { source: github('acme/engine'), title: 'v3.0.0', versionText: 'v3.0.0' },
      { title: 'Acme Engine 3.0', versionText: '3.0', product: engine },
      'version:3.0.0',
    ],
    [
      'two sources of one product',
      { source: github('acme/core'), title: 'v3.0.0', versionText: 'v3.0.0', product: engine },
      { title: '3.0 is out', versionText: '3.0', product: engine },
      'version:3.0.0',
    ],
    [
      'one version, but of nothing that either names',
      { source: github('acme/engine'), title: 'v3.0.0', versionText: 'v3.0.0' },
      { title: 'Turbine 3.0', versionText: '3.0' },
      null,
    ],
    [
      'one package of a repository, and a post about the whole',
      { source: github('acme/engine'), title: 'core@3.0.0', versionText: 'core@3.0.0', packagePart: 'core' },
      { title: 'Acme Engine 3.0', versionText: '3.0' },
      null,
    ],
    [
      'titles of equal words',
      { title: 'Introducing Workflows: durable execution for Node' },
      { title: 'Workflows: durable execution for Node.js is here' },
      'title:0.78',
    ],
    [
      'a title and the same with more to say',
      { title: 'SAML single sign-on' },
      { title: 'SAML single sign-on is now generally available' },
      'title:0.71',
    ],
    [
      'titles that share two words',
      { title: 'Audit logs for Enterprise' },
      { title: 'Audit log exports for Enterprise teams' },
      null,
    ],
    [
      'titles that say nothing',
      { title: 'Bug fixes and improvements' },
      { title: 'Bug fixes and performance improvements' },
      null,
    ],
    [
      'two repositories on one day',
      { source: github('acme/sdk-js'), title: 'sdk v1.4.0', versionText: 'v1.4.0' },
      { source: github('acme/sdk-python'), title: 'sdk v1.4.0', versionText: 'v1.4.0' },
      null,
    ],
    [
      'equal titles 80 hours apart',
      { title: 'SAML single sign-on' },
      { title: 'SAML single sign-on', hours: 80 },
      null,
    ],
    [
      'equal titles 72 hours apart',
      { title: 'SAML single sign-on' },
      { title: 'SAML single sign-on', hours: 72 },
      'title:1.00',
    ],
    [
      'two stores',
      { source: { type: 'appstore', name: 'Acme iOS' }, title: 'Acme 5.1', versionText: '5.1', product: engine },
      { source: { type: 'appstore', name: 'Acme macOS' }, title: 'Acme 5.1', versionText: '5.1', product: engine },
      null,
    ],
    [
      'a monthly rollup that mentions the launch',
      { title: 'SAML single sign-on' },
      { title: 'SAML single sign-on', type: 'rollup' },
      null,
    ],
    [
      'two products',
      { title: 'SAML single sign-on', product: engine },
      { title: 'SAML single sign-on', product: { id: 'prod_2', name: 'Turbine' } },
      null,
    ],
  ];
  for (const [name, a, b, reason] of cases) {
    it(`${name}: ${reason ?? 'separate'}`, () => assert.equal(reasonOf(a, b), reason));
  }

  it('the body of one links to the other and to no other release: link', () => {
    assert.equal(
      reasonOf({ title: 'One' }, { title: 'Two' }, ([, b]) => [0, [b]]),
      'link',
    );
    assert.equal(
      reasonOf({ title: 'One' }, { title: 'Two' }, ([a]) => [1, [a]]),
      'link',
    );
  });

  it('the body of one links to several releases: separate', () => {
    assert.equal(
      reasonOf({ title: 'One' }, { title: 'Two' }, ([, b, other]) => [0, [b, other]]),
      null,
    );
  });
});

describe('significant words', () => {
  const context = { names: ['Acme', 'Acme Engine', 'Node Tools'], versions: ['v3'] };
  const cases: [title: string, words: string[]][] = [
    ['Introducing Acme Engine 3.0: vector search', ['vector', 'search']],
    ['Acme Engine 3 adds search', ['adds', 'search']],
    ['Tools for Node', ['tools', 'node']],
    ['Bug fixes and performance improvements', []],
    ['v2.0.0-beta.1', []],
  ];
  for (const [title, words] of cases) it(title, () => assert.deepEqual(significantWords(title, context), words));

  it('no words have nothing in common', () => assert.equal(titleScore([], []), 0));
});
