// The files of the client: the server of the last login, and the API key of each server. Only the owner can read the
// keys.
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorCode, errorMessage, isRecord } from '../../domain/records.ts';
import { CommandFailure, type Environment } from '../command.ts';

export interface StoredKey {
  key: string;
  // The id of the key on its server, with which it can be revoked.
  id?: string;
  account?: string;
}

interface ConfigFile {
  // The server of the last login.
  server?: string;
}

export interface ConfigFiles {
  readonly folder: string;
  lastServer(): string | undefined;
  setLastServer(server: string | undefined): void;
  keyOf(server: string): StoredKey | undefined;
  // Undefined removes the key.
  setKey(server: string, key: StoredKey | undefined): void;
}

const OTHERS = 0o077;

export function openConfigFiles(env: Environment, platform: NodeJS.Platform = process.platform): ConfigFiles {
  const folder = configFolder(env, platform);
  const credentials = join(folder, 'credentials.json');
  const config = join(folder, 'config.json');
  const keys = (): Record<string, StoredKey> => {
    if (platform !== 'win32') refuseReadableByOthers(credentials);
    return readJson(credentials);
  };
  const configFile = (): ConfigFile => readJson(config);
  return {
    folder,
    lastServer: () => configFile().server,
    setLastServer: (server) => writeJson(folder, config, { ...configFile(), server }),
    keyOf: (server) => (Object.hasOwn(keys(), server) ? keys()[server] : undefined),
    setKey(server, key) {
      const { [server]: _replaced, ...others } = keys();
      writeJson(folder, credentials, key === undefined ? others : { ...others, [server]: key });
    },
  };
}

export function configFolder(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return join(env.APPDATA || join(env.USERPROFILE || homedir(), 'AppData/Roaming'), 'registry');
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'registry');
}

function refuseReadableByOthers(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OTHERS) === 0) return;
  throw new CommandFailure(
    `${file} can be read by others and is not used; run \`chmod 600 ${file}\`, and replace the keys in it if they may be known`,
  );
}

// The file contains what this program wrote, so it is not validated.
// biome-ignore lint/suspicious/noExplicitAny: the caller knows the shape that it wrote.
function readJson(file: string): Record<string, any> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new CommandFailure(`${file} cannot be read: ${errorMessage(error)}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && !Array.isArray(value)) return value;
  } catch {}
  throw new CommandFailure(`${file} is no JSON object; remove it and log in again`);
}

// The text is written to a temporary file and renamed, so that no reader finds half of it.
function writeJson(folder: string, file: string, value: object): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    throw new CommandFailure(`${file} cannot be written: ${errorMessage(error)}`);
  }
}
