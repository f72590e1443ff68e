import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { DIRECT } from './curate.ts';
import { PROGRAM_FOLDER } from './load.ts';

it('the table of direct packages names what the program depends on, and nothing else', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(PROGRAM_FOLDER, 'package.json'), 'utf8'),
  );
  // A package that is installed under another name is known by its own.
  const own = (needed: Record<string, string>) =>
    Object.entries(needed).map(([name, wanted]) => /^npm:(.+)@/.exec(wanted)?.[1] ?? name);
  const names = (use: string) => DIRECT.filter((one) => one.use === use).map(({ name }) => name);
  assert.deepEqual(names('built-with').sort(), own({ ...dependencies, ...optionalDependencies }).sort());
  assert.deepEqual(names('tests-and-tools').sort(), own(devDependencies).sort());
});
