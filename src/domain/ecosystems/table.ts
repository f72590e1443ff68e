// The package ecosystems by the names under which they are stored and asked for. Rules ask through `index.ts`.
import type { EcosystemFacts } from './facts.ts';
import { NPM } from './npm/index.ts';
import { PYPI } from './pypi/index.ts';

export const ECOSYSTEM_TABLE = { npm: NPM, pypi: PYPI } as const satisfies Record<string, EcosystemFacts>;
