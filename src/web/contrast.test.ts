// Every pair of colours that carries text or a mark has enough contrast in both themes: 4.5:1 for text, 3:1 for marks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const TOKENS = readFileSync(new URL('./assets/style/00-tokens.css', import.meta.url), 'utf8');
const GROUNDS = ['page', 'raised', 'sunken'];
const VERDICTS = ['major', 'minor', 'none', 'unknown'];

const THEMES = { light: 0, dark: 1 } as const;
type Theme = keyof typeof THEMES;

function colourOf(token: string, theme: Theme): string {
  const pair = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(TOKENS);
  assert.ok(pair, `no token --${token}`);
  return pair[THEMES[theme] + 1] ?? '';
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const TEXT: [ink: string, ground: string][] = [
  ...['ink', 'ink-2', 'ink-3', 'accent', 'accent-hover', ...VERDICTS, 'pre', 'code-k', 'code-s', 'code-n'].flatMap(
    (ink) => GROUNDS.map((ground): [string, string] => [ink, ground]),
  ),
  ...[...VERDICTS, 'pre'].map((verdict): [string, string] => [verdict, `${verdict}-soft`]),
  ...VERDICTS.map((verdict): [string, string] => ['ink', `${verdict}-soft`]),
  ['ink', 'accent-soft'],
  ['accent', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['ink', 'mark'],
];

const MARKS: [mark: string, ground: string][] = [
  'line-strong',
  'plot-1',
  'plot-2',
  'plot-3',
  'plot-4',
  ...VERDICTS.map((name) => `${name}-mark`),
].flatMap((mark) => GROUNDS.map((ground): [string, string] => [mark, ground]));

test('contrast holds in both themes', () => {
  const findings: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    for (const [pairs, least] of [
      [TEXT, 4.5],
      [MARKS, 3],
    ] as const) {
      for (const [one, other] of pairs) {
        const value = contrast(colourOf(one, theme), colourOf(other, theme));
        if (value < least) findings.push(`${theme}: ${one} on ${other} is ${value.toFixed(2)}, not ${least}`);
      }
    }
  }
  assert.deepEqual(findings, []);
});
