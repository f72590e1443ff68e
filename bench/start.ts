// From the start of the process to its first answer, on a large registry.
import { type Figure, median } from './figures.ts';
import { startService } from './service.ts';

const TARGET_MS = 2000;
const STARTS = 3;

export async function benchStart(dataDir: string): Promise<Figure> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const service = await startService(dataDir);
    times.push(service.startMs);
    await service.stop();
  }
  return {
    name: 'start to first answer',
    value: median(times) / 1000,
    unit: 's',
    target: '< 2',
    holds: median(times) < TARGET_MS,
    detail: `median of ${STARTS} starts`,
  };
}
