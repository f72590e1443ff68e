// A class that varies a part, as in `.badge.line`, must not be the name of a part of its own, whose layout the variant
// would take over.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('./assets/style/', import.meta.url);
const SHEETS = readdirSync(FOLDER).map((name) =>
  readFileSync(new URL(name, FOLDER), 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
);
const RULE = /^(?<selector>[^\s@{}][^{}]*)\{(?<body>[^{}]*)/gm;
const VARIANT = /(?:&|[\w)\]])\.(?<name>[\w-]+)/g;
const LAYOUT = /^\s*(?:margin|padding|position|display|grid|flex|width|height|inset)[\w-]*:/m;

test('no variant has the name of a part with a layout of its own', () => {
  const variants = new Set(SHEETS.flatMap((css) => [...css.matchAll(VARIANT)].map(({ groups }) => groups?.name)));
  const parts = SHEETS.flatMap((css) => [...css.matchAll(RULE)])
    .filter(({ groups }) => LAYOUT.test(groups?.body ?? ''))
    .flatMap(({ groups }) => (groups?.selector ?? '').split(',').map((selector) => selector.trim()))
    .flatMap((selector) => /^\.([\w-]+)$/.exec(selector)?.[1] ?? []);
  assert.ok(parts.length > 50, `${parts.length} parts`);
  assert.deepEqual(
    parts.filter((name) => variants.has(name)),
    [],
  );
});
