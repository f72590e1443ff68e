import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ambiguousHint, noReleasesHint, sameVersionHint, unknownHint } from '../../../domain/upgrade/hints.ts';
import { terminalHint } from './print.ts';

const health = { failingSince: null, lastOutcome: null, lastFetchedAt: null };

describe('hints on a terminal', () => {
  const hints = [
    unknownHint({ by: 'package_map', ecosystem: 'npm' } as never, 'left-pad'),
    unknownHint({ by: 'coordinate', coordinate: 'acme/cli' } as never, 'acme/cli'),
    unknownHint({ by: 'slug', slug: 'cli' } as never, 'cli'),
    unknownHint({ by: 'nothing', reason: 'ambiguous', coordinate: 'acme/cli' } as never, 'acme/cli'),
    ambiguousHint('cli'),
    sameVersionHint('1.0.0'),
    ...[true, false].map((forOperator) =>
      noReleasesHint({ ...health, tracked: false, coordinate: 'acme/cli', id: 'src_1', forOperator } as never),
    ),
  ];
  for (const hint of hints) {
    it(hint, () => assert.doesNotMatch(terminalHint(hint), /\b(?:GET|POST|PATCH) |\/v1\/|\b\w+=\S/));
  }

  it('names the command that helps', () => {
    assert.equal(
      terminalHint(unknownHint({ by: 'coordinate', coordinate: 'acme/cli' } as never, 'acme/cli')),
      'The repository acme/cli is not tracked. An operator of the registry can add it.',
    );
  });
});
