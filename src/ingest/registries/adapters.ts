// The adapter of each ecosystem; the compiler demands one for every name.
import type { Ecosystem } from '../../domain/published-package.ts';
import type { RegistryAdapter } from './contract.ts';
import { NPM } from './npm/index.ts';
import { PYPI } from './pypi/index.ts';

export const REGISTRY_ADAPTERS: Readonly<Record<Ecosystem, RegistryAdapter>> = { npm: NPM, pypi: PYPI };
