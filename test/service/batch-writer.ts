// Writes batch after batch into one source until it is killed; run as its own process.
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';

const [src = '', round = '0', size = '100'] = process.argv.slice(2);
const { ctx } = await createApp(readConfig(process.env));

for (let batch = 0; batch < 1000; batch += 1) {
  const rows = Array.from({ length: Number(size) }, (_, index) => ({
    title: `Batch ${round}-${batch} row ${index}`,
    content: `batchword ${'text '.repeat(60)}`,
    guid: `${round}-${batch}/${index}`,
    publishedAt: '2026-01-01T00:00:00.000Z',
  }));
  await writeReleases(ctx, { path: { src }, rows });
  process.stdout.write('committed\n');
}
