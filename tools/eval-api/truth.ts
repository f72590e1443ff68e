// A truth set of steps between published versions, as `steps.json` in a folder holds it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TrueBreak {
  class: string;
  name: string;
  subpath: string;
  // Arguable: counts neither way.
  doubt?: string;
}

export interface Step {
  id: string;
  package: string;
  from: string;
  to: string;
  step: string;
  // `full`: every difference was read, so whatever else is found is a false alarm.
  coverage: 'full' | 'sample';
  breaks: readonly TrueBreak[];
  traps: readonly { kind: string; name: string }[];
  notes?: string;
}

export function readSteps(folder: string): Step[] {
  return JSON.parse(readFileSync(join(folder, 'steps.json'), 'utf8')) as Step[];
}
