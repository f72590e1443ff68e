// Whether the registry holds the sample alone: the packages that this program is built from.
import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { toJson } from '../../store/json-text.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';

const KEY = 'sample';

interface Sample {
  // The packages that were read.
  packages: number;
  // How many sources they have. With others beside them the registry is no sample any more.
  sources: number;
}

export async function writeSample(ctx: WriteContext, sample: Sample): Promise<void> {
  await writeSetting(ctx.tx, { key: KEY, value: toJson(sample), updated_at: now(ctx) });
}

export function readSample(ctx: Context): Promise<Sample | null> {
  return readSetting<Sample>(queries(ctx), KEY);
}
