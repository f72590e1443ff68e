import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { privateNames } from './private-names.ts';
import { readLockfile } from './read.ts';
import { readPurl } from './sbom.ts';

const named = (text: string) => {
  const read = readLockfile({ text });
  return {
    format: read?.format,
    other: read?.otherEcosystems,
    packages: read?.packages.map((one) => `${one.ecosystem} ${one.name} ${one.version} ${one.direct}`),
  };
};

const cyclone = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { component: { 'bom-ref': 'root', name: 'shop', version: '1.0.0', purl: 'pkg:npm/shop@1.0.0' } },
  components: [
    { 'bom-ref': 'root', type: 'application', purl: 'pkg:npm/shop@1.0.0' },
    { 'bom-ref': 'a', type: 'library', purl: 'pkg:npm/%40acme/forms@2.0.0' },
    { 'bom-ref': 'b', type: 'library', purl: 'pkg:pypi/Flask@3.0.0', components: [{ purl: 'pkg:npm/left@1.0.0' }] },
    { 'bom-ref': 'c', type: 'library', purl: 'pkg:maven/org.acme/lib@1.0' },
    { 'bom-ref': 'd', purl: 'pkg:npm/ours@1.0.0?repository_url=npm.acme.example' },
  ],
  dependencies: [{ ref: 'root', dependsOn: ['a'] }],
});

const spdx = JSON.stringify({
  spdxVersion: 'SPDX-2.3',
  documentDescribes: ['SPDXRef-root'],
  packages: [
    { SPDXID: 'SPDXRef-root', name: 'shop', externalRefs: [purl('pkg:npm/shop@1.0.0')] },
    { SPDXID: 'SPDXRef-a', name: 'a', externalRefs: [purl('pkg:npm/a@1.0.0')] },
    { SPDXID: 'SPDXRef-b', name: 'b', externalRefs: [purl('pkg:golang/b@1.0.0')] },
  ],
  relationships: [{ spdxElementId: 'SPDXRef-root', relationshipType: 'DEPENDS_ON', relatedSpdxElement: 'SPDXRef-a' }],
});

const graph = JSON.stringify({
  '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
  '@graph': [
    { type: 'SpdxDocument', spdxId: 'doc', rootElement: ['root'] },
    { type: 'software_Package', spdxId: 'root', software_packageUrl: 'pkg:npm/shop@1.0.0' },
    { type: 'software_Package', spdxId: 'a', software_packageUrl: 'pkg:npm/a@1.0.0' },
    {
      type: 'software_Package',
      spdxId: 'b',
      externalIdentifier: [{ externalIdentifierType: 'packageUrl', identifier: 'pkg:pypi/b@2.0' }],
    },
    { type: 'Relationship', from: 'root', relationshipType: 'dependsOn', to: ['b'] },
  ],
});

function purl(referenceLocator: string) {
  return { referenceType: 'purl', referenceLocator };
}

describe('a bill of materials', () => {
  it('in CycloneDX names packages by purl, without the project itself', () => {
    assert.deepEqual(named(cyclone), {
      format: 'CycloneDX',
      other: 1,
      packages: [
        'npm @acme/forms 2.0.0 true',
        'npm ours 1.0.0 false',
        'npm left 1.0.0 false',
        'pypi Flask 3.0.0 false',
      ],
    });
    assert.deepEqual([...privateNames(cyclone)], ['ours']);
  });

  it('in SPDX 2 and 3 says the same', () => {
    assert.deepEqual(named(spdx), { format: 'SPDX', other: 1, packages: ['npm a 1.0.0 true'] });
    assert.deepEqual(named(graph), {
      format: 'SPDX',
      other: 0,
      packages: ['npm a 1.0.0 false', 'pypi b 2.0 true'],
    });
  });

  it('may be hostile', () => {
    const parts = Array.from({ length: 20_010 }, (_, at) => ({ purl: `pkg:npm/p${at}@1.0.0` }));
    const large = readLockfile({ text: JSON.stringify({ bomFormat: 'CycloneDX', components: [7, null, ...parts] }) });
    assert.deepEqual([large?.packages.length, large?.truncated], [20_000, true]);
    for (const bad of ['pkg:npm/a', 'pkg:npm/%E0%A4@1.0.0', 'npm/a@1', '']) assert.equal(readPurl(bad), null);
    assert.deepEqual(named('{"bomFormat":"CycloneDX","components":"none"}').packages, []);
  });
});
