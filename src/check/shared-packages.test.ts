import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Question } from './questions.ts';
import { type AskedPackage, sharedPackages } from './shared-packages.ts';

function asked(
  name: string,
  more: Partial<AskedPackage> & { change?: Partial<Question['change']> } = {},
): AskedPackage {
  const { change, isListed = true, to = null } = more;
  const known = { direct: true, dev: false, optional: false, source: 'registry', fromRef: null, toRef: null } as const;
  return {
    question: {
      change: { ecosystem: 'npm', name, from: '1.0.0', to: '1.0.0', as: ['our-name'], ...known, ...change },
      workspaces: ['apps/web'],
      ranges: [],
    },
    isListed,
    to,
  };
}

const LATEST = { isChange: false, isLatest: true };
const CHANGE = { isChange: true, isLatest: false };

describe('packages that a check shares', () => {
  it('are those that a public registry has listed; of the others no name is told', () => {
    const shared = sharedPackages(
      [
        asked('lamp', { to: '2.0.0' }),
        asked('quiet'),
        asked('secret', { isListed: false }),
        asked('forked', {
          isListed: false,
          change: { source: 'git', fromRef: 'git+ssh://code.acme.example/forked#1' },
        }),
      ],
      LATEST,
    );
    assert.deepEqual(
      shared.upgrades.map(({ name, from, to }) => [name, from, to]),
      [
        ['lamp', '1.0.0', 'latest'],
        ['quiet', '1.0.0', 'latest'],
      ],
    );
    assert.deepEqual([shared.kind, shared.hidden, shared.elsewhere, shared.others], ['lockfile', 1, 1, []]);
    assert.doesNotMatch(JSON.stringify(shared), /secret|forked|acme|our-name|apps/);
  });

  it('have the versions of a pull request, and count what is new, gone and lowered', () => {
    const shared = sharedPackages(
      [
        asked('lamp', { to: '1.1.0', change: { to: '1.1.0' } }),
        asked('fresh', { isListed: false, change: { from: null } }),
        asked('gone', { isListed: false, change: { to: null } }),
        asked('back', { isListed: false, change: { from: '2.0.0' } }),
      ],
      CHANGE,
    );
    assert.deepEqual(
      shared.upgrades.map(({ name, to }) => [name, to]),
      [['lamp', '1.1.0']],
    );
    assert.deepEqual(
      shared.others.map(({ reason }) => reason),
      ['added', 'removed', 'lowered'],
    );
    assert.doesNotMatch(JSON.stringify(shared), /fresh|gone|back/);
  });

  it('leave out what is not compared with its newest version', () => {
    const chosen = sharedPackages([asked('lamp', { to: '1.5.0' }), asked('quiet')], {
      isChange: false,
      isLatest: false,
    });
    assert.deepEqual(
      chosen.upgrades.map(({ name, to }) => [name, to]),
      [['lamp', '1.5.0']],
    );
  });
});
