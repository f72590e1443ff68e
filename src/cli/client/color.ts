// Decides whether output is coloured, and defines the styles.
import { styleText } from 'node:util';
import type { Environment } from '../command.ts';

export type Tone = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';
export type Palette = (tone: Tone, text: string) => string;

interface ColorChoice {
  env: Environment;
  isTTY: boolean;
  // Set by --no-color.
  refused: boolean;
}

export function createPalette(choice: ColorChoice): Palette {
  if (!wantsColor(choice)) return (_tone, text) => text;
  return (tone, text) => styleText(tone, text, { validateStream: false });
}

export function wantsColor({ env, isTTY, refused }: ColorChoice): boolean {
  if (refused) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR || env.TERM === 'dumb') return false;
  return isTTY;
}
