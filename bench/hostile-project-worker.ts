// Checks hostile projects one after another, in the process that a person would have started.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../src/main.ts';
import { makeHostileProject } from '../test/hostile/projects.ts';
import { ownProcessorMs } from '../tools/processor-time.ts';

export interface CheckedProject {
  seed: number;
  kinds: readonly string[];
  args: readonly string[];
  code: number;
  // Processor time of the process, and of each git that it started.
  milliseconds: number;
  bytes: number;
  isMarked: boolean;
  said: string;
}

const [home = '', registry = ''] = process.argv.slice(2);
const env = {
  PATH: `.:${process.env.PATH}`,
  HOME: home,
  XDG_CACHE_HOME: join(home, 'cache'),
  REGISTRY_API_URL: '',
  REGISTRY_NPM_URL: registry,
  REGISTRY_EGRESS_ALLOW: new URL(registry).host,
};

process.on('message', (seed: number) => void checkOne(seed));
process.send?.({ ready: true });

async function checkOne(seed: number): Promise<void> {
  const place = join(home, String(seed));
  const mark = join(place, 'mark');
  const { kinds, args } = makeHostileProject(place, seed, mark);
  process.send?.({ started: seed, kinds, args });
  const start = ownProcessorMs();
  const said: string[] = [];
  const code = await runCommand({ args, env }, { out: () => {}, err: (line) => void said.push(line) });
  const checked: CheckedProject = {
    seed,
    kinds,
    args,
    code,
    milliseconds: ownProcessorMs() - start,
    bytes: process.resourceUsage().maxRSS * 1024,
    isMarked: existsSync(mark),
    said: said.join('\n').slice(0, 500),
  };
  await rm(place, { recursive: true, force: true });
  process.send?.({ checked });
}
