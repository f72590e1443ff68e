// How old versions have to be before the tools of a project take them, by the files of the project and the person's own `.npmrc`.
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  type Cooldown,
  type InstallerFile,
  readBotCooldown,
  readInstallerCooldown,
} from '../../domain/advisories/cooldown.ts';
import { readFlatSettings } from '../../domain/advisories/flat-settings.ts';
import { type PackageName, SCOPED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import { parseObject, plainJson } from '../../domain/upgrade/lockfiles/json-text.ts';
import { parseToml } from '../../domain/upgrade/toml.ts';
import { boundaryOf } from '../git/repository.ts';
import { textFileAt } from '../local-file.ts';
import type { Environment } from '../npmrc/settings.ts';

export interface ProjectCooldowns {
  // What the installer refuses; null where nothing is set, or where its kind of package has no such setting.
  installer(named: PackageName): Cooldown | null;
  // How long the bot holds back an update that repairs a security problem; null where it does not.
  bot(named: PackageName): Cooldown | null;
}

const SETTINGS: Readonly<Record<string, InstallerFile>> = {
  'pnpm-lock.yaml': 'pnpm-workspace.yaml',
  'yarn.lock': '.yarnrc.yml',
  'bun.lock': 'bunfig.toml',
};
const BOT_FILES = [
  'renovate.json',
  'renovate.json5',
  '.github/renovate.json',
  '.github/renovate.json5',
  '.gitlab/renovate.json',
  '.gitlab/renovate.json5',
  '.renovaterc',
  '.renovaterc.json',
  '.renovaterc.json5',
];
const MAX_LENGTH = 4 * 1024 * 1024;

export function readProjectCooldowns(folder: string, format: string, env: Environment): ProjectCooldowns {
  const inside = boundaryOf(folder);
  const read = (file: string) => textFileAt(join(folder, file), { most: MAX_LENGTH, inside }) ?? undefined;
  const own = join(env.HOME || env.USERPROFILE || homedir(), '.npmrc');
  const files = {
    // What the project says stands behind what the person says, and wins.
    '.npmrc': [textFileAt(env.npm_config_userconfig || own, { most: MAX_LENGTH }), read('.npmrc')]
      .filter(Boolean)
      .join('\n'),
    'pnpm-workspace.yaml': flat(read('pnpm-workspace.yaml'), ['minimumReleaseAge', 'minimumReleaseAgeExclude']),
    '.yarnrc.yml': flat(read('.yarnrc.yml'), ['npmMinimalAgeGate', 'npmPreapprovedPackages']),
    'bunfig.toml': parseToml(read('bunfig.toml') ?? ''),
  };
  const installer = readInstallerCooldown(files, SETTINGS[format] ?? '.npmrc');
  const bot = botSettings(read);
  return {
    installer: ({ ecosystem }) => (ecosystem === SCOPED_ECOSYSTEM ? installer : null),
    bot: ({ name }) => (bot === 'unreadable' ? UNREADABLE_BOT : readBotCooldown(bot, { name, isSecurity: true })),
  };
}

const UNREADABLE_BOT: Cooldown = {
  minutes: null,
  from: 'renovate.json',
  fault: 'the settings of Renovate are no JSON',
  isExcepted: () => false,
};

function flat(text: string | undefined, keys: readonly string[]): object | undefined {
  return text === undefined ? undefined : readFlatSettings(text, keys);
}

// The first file counts, and `renovate` of the manifest where there is none.
function botSettings(read: (file: string) => string | undefined): object | 'unreadable' | null {
  for (const file of BOT_FILES) {
    const text = read(file);
    if (text !== undefined) return parseObject(plainJson(text)) ?? 'unreadable';
  }
  const { renovate } = parseObject(read('package.json') ?? '') ?? {};
  return typeof renovate === 'object' ? renovate : null;
}
