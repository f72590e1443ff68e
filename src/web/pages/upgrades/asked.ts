// Which paths below a package name an upgrade. A scoped name has two segments, so `/packages/npm/zod/3-to-4` has the form of a
// package, and a package of that name wins.
import { readStepAddress } from '../../../domain/upgrade/step-address.ts';
import type { AskedUpgrade } from './load.ts';

type Params = Record<string, string>;

export function askedUpgrade({ ecosystem = '', scope, name = '', step }: Params): AskedUpgrade | null {
  if (step !== undefined) return { ecosystem, name: scope === undefined ? name : `${scope}/${name}`, step };
  if (scope === undefined || readStepAddress(name) === null) return null;
  return { ecosystem, name: scope, step: name };
}
