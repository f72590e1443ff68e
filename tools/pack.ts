// Packs the program or the client into one file in this folder:
//   npm run package [-- --platform linux-arm64|any|none]
//   npm run package:client
// With `--folder <name>` the program is not packed: it lies there with all that npm would install beside it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './build-package.ts';
import { copyInstalled, defaultPlatform, makeClientFolder, makeProgramFolder } from './package-folder.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { platform: { type: 'string' }, folder: { type: 'string' } },
});
const [what = 'program'] = positionals;
const { platform = defaultPlatform() } = values;
const folder = join(ROOT, values.folder ?? `dist/${what}`);
if (what === 'client') await makeClientFolder(folder);
else if (what === 'program') await makeProgramFolder(folder, platform);
else throw new Error(`no such package: ${what}; program or client`);
if (values.folder === undefined) pack();
else copyInstalled(folder);

function pack(): void {
  const isWindows = process.platform === 'win32';
  const packed = execFileSync('npm', ['pack', folder, '--json'], { encoding: 'utf8', shell: isWindows });
  const [one] = Object.values(JSON.parse(packed)) as { filename: string; size: number; unpackedSize: number }[];
  if (!one) throw new Error(`npm has packed nothing: ${packed}`);
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  const engine = what === 'client' ? '' : `, native engine: ${platform}`;
  console.log(`${one.filename}: ${megabytes(one.size)}, unpacked ${megabytes(one.unpackedSize)}${engine}`);
}
