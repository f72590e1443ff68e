// The location of the program that tests start. `npm test` builds the packed program once, in a folder that this
// variable names; without it, the sources are run.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROGRAM_VARIABLE = 'REGISTRY_TEST_PROGRAM';

// Flags of Node for every process of a test run. The young generation starts with a semi-space of one megabyte and grows, and
// every collection copies the code and the data that were just loaded. A process that starts with the largest semi-space
// needs about 5 % less processor time.
export const NODE_FLAGS = ['--min-semi-space-size=16'];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const built = process.env[PROGRAM_VARIABLE];

export const LAUNCHER = join(built ?? ROOT, 'bin', 'registry.mjs');

// Test programs that run the code of the service in their own process.
export const TEST_PROGRAMS = [
  'test/cli/late-stop.ts',
  'test/ingest/doomed-listing.ts',
  'test/ingest/doomed-worker.ts',
  'test/ingest/fetching-worker.ts',
  'test/service/batch-writer.ts',
  'test/support/command-runner.ts',
  'test/stacks/doomed-digest.ts',
  'test/webhooks/doomed-sender.ts',
] as const;

export function testProgram(path: (typeof TEST_PROGRAMS)[number]): string {
  return built === undefined ? join(ROOT, path) : join(built, 'dist', path.replace(/\.ts$/, '.js'));
}
