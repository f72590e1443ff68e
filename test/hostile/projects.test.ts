// One hostile project of each kind; `npm run bench -- hostile-projects` checks thousands of all kinds together.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Cli, createCli } from '../support/cli.ts';
import { startNpmRegistry } from '../support/npm-registry.ts';
import { scratchFolder } from '../support/scratch.ts';
import { HOSTILE_PACKAGES } from './project-files.ts';
import { HOSTILE_KINDS, makeHostileProject } from './projects.ts';

describe('hostile projects', () => {
  let cli: Cli;
  let home: string;
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>;
  let env: Record<string, string>;
  before(async () => {
    cli = await createCli('');
    home = await scratchFolder('registry-hostile-');
    registry = await startNpmRegistry({ lamp: HOSTILE_PACKAGES.lamp ?? {} });
    env = { REGISTRY_API_URL: '', REGISTRY_NPM_URL: registry.url, REGISTRY_EGRESS_ALLOW: registry.host };
  });
  after(async () => {
    registry.close();
    await rm(home, { recursive: true, force: true });
  });

  for (const [seed, name] of HOSTILE_KINDS.entries()) {
    it(name, async () => {
      const place = join(home, String(seed));
      const mark = join(place, 'mark');
      const { kinds, args } = makeHostileProject(place, seed, mark, { isPlain: true });
      assert.deepEqual(kinds, [name]);
      const { code, stderr } = await cli.run(args, { env });
      assert.ok([0, 1, 3].includes(code), stderr);
      assert.doesNotMatch(
        stderr,
        /call stack|\b(?:Range|Type|Syntax|Reference)Error\b|not a function|Cannot read prop/,
      );
      assert.equal(existsSync(mark), false);
    });
  }
});
