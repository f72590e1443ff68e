// `npm run bench`: speed and size targets, always as ratios against something measured in the same run.
// `npm run bench -- --large 100000` uses a smaller large registry; `-- hot ingest` runs those parts alone.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchBlocks } from './blocks/index.ts';
import { benchChangelog } from './changelog.ts';
import { benchCostliestRequest } from './costliest-request.ts';
import { benchDueSources, benchSourceFaults } from './due-sources.ts';
import { benchEmbedding } from './embedding.ts';
import { benchEngines } from './engines.ts';
import { type Figure, printFigures } from './figures.ts';
import { benchFirstStart } from './first-start.ts';
import { benchHostile } from './hostile.ts';
import { benchHotReads } from './hot-reads.ts';
import { benchIngest } from './ingest.ts';
import { benchPackages } from './packages.ts';
import { benchPageReads } from './page-reads.ts';
import { generatedRegistry } from './registries.ts';
import { benchHybrid, benchSearch } from './search.ts';
import { benchSearchPostgres } from './search-postgres.ts';
import { benchStacks } from './stacks.ts';
import { benchStart } from './start.ts';
import { benchUncachedReads } from './uncached-reads.ts';
import { benchUnderWrites } from './under-writes.ts';
import { benchVectors } from './vectors.ts';
import { benchWebhookDemo } from './webhook-demo.ts';
import { benchWebhookFaults, benchWebhooks } from './webhooks.ts';
import { benchWhatsChanged } from './whats-changed.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'string' },
    large: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '10' },
    kills: { type: 'string', default: '100' },
    vectors: { type: 'string', default: '100000' },
    projects: { type: 'string', default: '2000' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
  },
});
const small = Number(values.small ?? 10_000);
// A search in a tiny registry looks at everything; its growth shows between sizes that are both large.
const smallSearched = Number(values.small ?? 100_000);
const large = Number(values.large);
const wanted = (part: string) => positionals.length === 0 || positionals.includes(part);

// They have no targets, so they run only when they are asked for.
if (positionals.includes('profile')) await (await import('./profile.ts')).printProfile();
if (positionals.includes('scale')) {
  await (await import('./scale.ts')).printScale(values.sizes.split(',').map(Number));
}

// Some parts use helpers of tests, whose harness follows every promise: loaded before, it would slow down all others.
const figures: Figure[] = [];
if (wanted('ingest')) figures.push(...(await benchIngest(50_000)));
if (wanted('packages')) figures.push(...(await benchPackages()));
if (wanted('readings')) figures.push(...(await (await import('./readings.ts')).benchReadings()));
if (wanted('changelog')) figures.push(benchChangelog());
if (wanted('evidence')) figures.push(...(await import('./evidence.ts')).benchEvidence());
if (positionals.includes('hostile-projects')) {
  const { benchHostileProjects } = await import('./hostile-projects.ts');
  figures.push(...(await benchHostileProjects(Number(values.projects))));
}
if (wanted('check')) figures.push(...(await (await import('./check.ts')).benchCheck()));
if (wanted('hostile')) figures.push(...benchHostile());
if (wanted('blocks')) figures.push(...(await benchBlocks()));
if (wanted('sources')) figures.push(...(await benchDueSources()));
if (wanted('source-faults')) figures.push(...(await benchSourceFaults()));
if (wanted('hot')) figures.push(...(await benchHotReads(await generatedRegistry(small))));
if (wanted('uncached')) {
  figures.push(...(await benchUncachedReads(await generatedRegistry(small), await generatedRegistry(large))));
}
if (wanted('pages')) {
  figures.push(...(await benchPageReads(await generatedRegistry(small), await generatedRegistry(large))));
}
if (wanted('writes')) figures.push(...(await benchUnderWrites(await generatedRegistry(small))));
if (wanted('costliest')) figures.push(...(await benchCostliestRequest(await generatedRegistry(large))));
if (wanted('search')) {
  figures.push(...(await benchSearch(await generatedRegistry(smallSearched), await generatedRegistry(large))));
}
if (wanted('hybrid')) {
  figures.push(...(await benchHybrid(await generatedRegistry(smallSearched), await generatedRegistry(large))));
}
if (wanted('whats-changed')) {
  figures.push(...(await benchWhatsChanged(await generatedRegistry(small), await generatedRegistry(large))));
}
if (wanted('stacks')) {
  figures.push(...(await benchStacks(await generatedRegistry(small), await generatedRegistry(large))));
}
if (wanted('engines')) figures.push(...(await benchEngines()));
if (wanted('search-postgres')) figures.push(...(await benchSearchPostgres()));
if (wanted('webhooks')) figures.push(...(await benchWebhooks()));
if (wanted('webhook-faults')) figures.push(...(await benchWebhookFaults(10_000)));
if (wanted('webhook-demo')) figures.push(...(await benchWebhookDemo()));
if (wanted('embedding')) figures.push(...(await benchEmbedding()));
if (wanted('restarts')) figures.push(...(await (await import('./restarts.ts')).benchRestarts(Number(values.kills))));
// It takes half an hour, so it runs only when it is asked for.
if (positionals.includes('mixed'))
  figures.push(...(await (await import('./mixed/index.ts')).benchMixed(Number(values.minutes))));
if (wanted('vectors')) figures.push(...(await benchVectors(Number(values.vectors))));
if (wanted('first-start')) figures.push(await benchFirstStart());
if (wanted('start')) figures.push(await benchStart(await generatedRegistry(large)));

// The profile has no figures, and leaves those of the last run alone.
if (figures.length > 0) {
  printFigures(figures);
  const results = { at: new Date().toISOString(), small, large, figures };
  writeFileSync(fileURLToPath(new URL('./results.json', import.meta.url)), `${JSON.stringify(results, null, 2)}\n`);
}
if (figures.some((figure) => figure.holds === false)) process.exitCode = 1;
