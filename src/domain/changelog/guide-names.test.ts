import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isGuideName, targetOfName } from './guide-names.ts';

const NAMES: readonly [filename: string, isGuide: boolean, target: string | null][] = [
  ['UPGRADING.md', true, null],
  ['Migration-Guide.md', true, null],
  ['Migration-Guide-V5.md', true, '5'],
  ['migration-guide-v5.x.md', true, '5'],
  ['VERSION_11_UPGRADE.md', true, '11'],
  ['UPGRADE-3.0.md', true, '3.0'],
  ['v3-UPGRADE-GUIDE.md', true, '3'],
  ['migrating-from-v7-to-v8.md', true, '8'],
  ['MIGRATION_v4_to_v5.md', true, '5'],
  ['migrating-to-2.md', true, '2'],
  ['upgrading-from-4.x.md', true, '5'],
  ['upgrading-from-4.2.md', true, null],
  ['migration-1-2-3.md', true, null],
  ['upgradeGuide.md', true, null],
  ['MigrationGuide0.11.md', true, '0.11'],
  ['MigratingToVault.md', false, null],
  ['migrations.md', false, null],
  ['migrating-from-webpack.md', false, null],
  ['guide.md', false, null],
  ['version-2.md', false, null],
  ['upgrade.js', false, null],
  [`upgrade-${'1'.repeat(200)}.md`, false, null],
];

for (const [filename, isGuide, target] of NAMES) {
  it(`${filename.slice(0, 40)} ${isGuide ? `leads to ${target}` : 'is no guide'}`, () => {
    assert.deepEqual([isGuideName(filename), targetOfName(filename)], [isGuide, target]);
  });
}
