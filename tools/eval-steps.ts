// Measures the steps of an upgrade against the guides that packages bring along: `npm run eval:steps -- [--packages <folder>]
// [--only <package>] [--verbose]`. `tools/eval-steps/guides.json` holds what the guides ask for, counted by hand. Archives come
// from the npm registry and are kept in the folder of packages.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPackedNotes } from '../src/check/notes/packed-notes.ts';
import { mergeSteps } from '../src/domain/upgrade/steps/merge-steps.ts';
import { KeptPackages } from './eval-api/packages.ts';
import { type CountedGuide, missingSteps, readGuides } from './eval-steps/count.ts';

const MIN_SHARE = 0.6;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      packages: { type: 'string', default: join(tmpdir(), 'registry-api-packages') },
      only: { type: 'string', default: '' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const kept = new KeptPackages(values.packages);
  const sum = { asked: 0, found: 0, told: 0 };
  for (const guide of readGuides().filter((one) => one.package.startsWith(values.only))) {
    const told = await toldSteps(guide, await kept.one(`${guide.package}@${guide.archive}`));
    const missing = missingSteps(guide, told);
    const found = guide.steps.length - missing.length;
    sum.asked += guide.steps.length;
    sum.found += found;
    sum.told += told.length;
    const name = `${guide.package} ${guide.to}`.padEnd(34);
    console.log(`  ${name} ${`${found} of ${guide.steps.length}`.padEnd(10)} of ${told.length} steps in the answer`);
    if (values.verbose) for (const step of missing) console.log(`      missing: ${step}`);
  }
  const share = sum.asked === 0 ? 0 : sum.found / sum.asked;
  console.log(
    `steps of guides ${sum.asked}, in the answers ${sum.found} (${share.toFixed(3)}), answers hold ${sum.told}`,
  );
  return share < MIN_SHARE ? 1 : 0;
}

// The steps that the notes and guides inside of the package give for the range.
async function toldSteps({ package: name, from, to }: CountedGuide, archive: Uint8Array): Promise<string[]> {
  const { notes } = await readPackedNotes({ archive, name, from, to });
  const entries = notes.map(({ version, steps }) => ({ id: version, version, steps }));
  return mergeSteps({ entries }).map(({ text }) => text);
}

process.exitCode = await main();
