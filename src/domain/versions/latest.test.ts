import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPrerelease, latestVersion, parseVersion, type VersionedRelease } from './index.ts';

describe('latestVersion', () => {
  it('is null when no release has a version', () => {
    assert.equal(latestVersion([]), null);
    assert.equal(latestVersion([release({ version: null })]), null);
  });

  it('is not changed by a backport', () => {
    assert.equal(latestVersion(history('v15.5.17', '16.0.0', 'v15.5.18')), '16.0.0');
  });

  it('leaves pre-releases out while a stable release exists', () => {
    assert.equal(latestVersion(history('1.9.0', '2.0.0-rc.1')), '1.9.0');
  });

  it('takes the highest pre-release when nothing is stable', () => {
    assert.equal(latestVersion(history('1.0.0-rc.1', '1.0.0-beta.9')), '1.0.0-rc.1');
  });

  it('takes pre-releases too when the stable ones have no version', () => {
    assert.equal(latestVersion([...history('1.0.0-rc.1'), release({ version: null })]), '1.0.0-rc.1');
  });

  it('counts a date tag among numeric versions only while it is the newest', () => {
    assert.equal(latestVersion(history('1.4.0', '2024-01-15')), '2024-01-15');
    assert.equal(latestVersion(history('1.4.0', '2024-01-15', '1.3.9')), '1.4.0');
  });

  it('treats all versions alike when the source has a scheme setting', () => {
    assert.equal(latestVersion(history('1.4.0', '2024-01-15', '1.5.0'), 'numeric'), '2024-01-15');
  });

  it('stays inside the package part of the newest release', () => {
    assert.equal(latestVersion(history('@a/x@9.0.0', '@a/y@1.1.0', '@a/y@1.0.5')), '@a/y@1.1.0');
  });

  it('returns the newest text when it has no order key', () => {
    assert.equal(latestVersion(history('Alder', 'Birch')), 'Birch');
    assert.equal(latestVersion(history('Alder', '1.0', 'Birch', '0.9')), '1.0');
  });

  it('orders by date before arrival and puts undated releases last', () => {
    const undated = release({ version: 'Birch', publishedAt: null, fetchedAt: '2026-01-01T00:00:00.000Z' });
    assert.equal(latestVersion([...history('Alder'), undated]), 'Alder');
  });

  it('breaks ties of equal keys by publication, then id', () => {
    const day = '2024-05-01T00:00:00.000Z';
    const at = (id: string, version: string, publishedAt: string) => release({ id, version, publishedAt });
    assert.equal(latestVersion([at('b', '1.0', day), at('a', 'v1.0.0', '2024-06-01T00:00:00.000Z')]), 'v1.0.0');
    assert.equal(latestVersion([at('b', '1.0', day), at('a', 'v1.0.0', day)]), '1.0');
  });
});

/** Releases of the given versions, oldest first, one a day. */
function history(...versions: string[]): VersionedRelease[] {
  return versions.map((version, day) => {
    const date = `2024-03-${String(day + 1).padStart(2, '0')}T00:00:00.000Z`;
    return release({ id: `rel_${day}`, version, publishedAt: date });
  });
}

function release(fields: Partial<VersionedRelease>): VersionedRelease {
  const version = fields.version === undefined ? '1.0.0' : fields.version;
  const parsed = version === null ? null : parseVersion(version);
  return {
    id: 'rel_0',
    versionSort: parsed?.sortKey ?? null,
    packagePart: parsed?.packagePart ?? null,
    prerelease: isPrerelease(version),
    publishedAt: '2024-03-01T00:00:00.000Z',
    fetchedAt: '2024-03-20T00:00:00.000Z',
    ...fields,
    version,
  };
}
