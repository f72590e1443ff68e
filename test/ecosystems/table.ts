// Stands for the table of the program where `third-hook.ts` is loaded.
import type { EcosystemFacts } from '../../src/domain/ecosystems/facts.ts';
import { NPM } from '../../src/domain/ecosystems/npm/index.ts';
import { PYPI } from '../../src/domain/ecosystems/pypi/index.ts';
import { ROCKS } from './rocks/index.ts';

export const ECOSYSTEM_TABLE = { npm: NPM, pypi: PYPI, rocks: ROCKS } as const satisfies Record<string, EcosystemFacts>;
