// A truth set of what published Python packages break, as `steps.json` in a folder holds it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PythonBreak {
  class: string;
  module: string;
  name: string;
  parameter?: string;
  // Arguable: counts neither way.
  doubt?: string;
}

interface PythonTrap {
  kind: string;
  module: string;
  name: string;
}

export interface PythonStep {
  id: string;
  package: string;
  from: string;
  to: string;
  old: { archive: string };
  new: { archive: string };
  breaks: readonly PythonBreak[];
  traps: readonly PythonTrap[];
}

export function readPythonSteps(folder: string): PythonStep[] {
  const { steps } = JSON.parse(readFileSync(join(folder, 'steps.json'), 'utf8')) as { steps: PythonStep[] };
  return steps;
}
