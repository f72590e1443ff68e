// The files that pages load, under names that change with their content, so that browsers may hold them for good.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { notFound } from '../contract/errors.ts';
import { Reply } from '../http/kernel/reply.ts';
import { type RouteDeclaration, route } from '../http/kernel/route.ts';
import { packageFile } from '../package-file.ts';
import { readVersion } from '../version.ts';
import type { Assets } from './frame/shell.ts';

const FOLDER = new URL('./assets/', import.meta.url);
const PREFIX = '/assets/web/';
const FONTS = [
  packageFile('@fontsource-variable/ibm-plex-sans', 'files/ibm-plex-sans-latin-wght-normal.woff2'),
  packageFile('@fontsource/ibm-plex-mono', 'files/ibm-plex-mono-latin-400-normal.woff2'),
  packageFile('@fontsource/ibm-plex-mono', 'files/ibm-plex-mono-latin-600-normal.woff2'),
];
// A script file exports exactly one function, which this pattern finds.
const MODULE = /export function (?<name>\w+)/;

interface File {
  type: string;
  bytes: Buffer;
}

interface WebAssets {
  paths: Assets;
  version: string;
  files: ReadonlyMap<string, File>;
}

export const WEB_ASSETS: WebAssets = loadAssets();

export const assetRoute: RouteDeclaration = route({
  method: 'GET',
  path: `${PREFIX}{file}`,
  summary: 'A file that pages load',
  tag: 'Pages',
  access: 'public',
  query: null,
  answers: null,
  run: async (_ctx, { params }) => {
    const file = WEB_ASSETS.files.get(params.file ?? '');
    if (!file) throw notFound('asset', params.file ?? '');
    return new Reply(200, file.bytes, {
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  },
});

export const faviconRoute = picture('/favicon.svg', 'The icon of the site', 'image/svg+xml');
// `tools/social-image.ts` makes the file.
export const socialImageRoute = picture('/social.png', 'The picture of the site in link previews', 'image/png');

// Other sites link to these paths, so they carry no hash and browsers check for a newer file after a day.
function picture(path: string, summary: string, type: string): RouteDeclaration {
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Pages',
    access: 'public',
    query: null,
    answers: null,
    run: async () =>
      new Reply(200, text(`icon${path}`), { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' }),
  });
}

function loadAssets(): WebAssets {
  const files = new Map<string, File>();
  const add = (name: string, type: string, bytes: Buffer): string => {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
    const hashed = name.replace(/(\.\w+)$/, `-${hash}$1`);
    files.set(hashed, { type, bytes });
    return `${PREFIX}${hashed}`;
  };
  const fonts = FONTS.map((path) => {
    const name = basename(path);
    return { name, path: add(name, 'font/woff2', readFileSync(path)) };
  });
  const style = fonts.reduce((text, { name, path }) => text.replaceAll(`/assets/${name}`, path), stylesheet());
  const paths = {
    style: add('style.css', 'text/css; charset=utf-8', Buffer.from(style)),
    theme: add('theme.js', 'text/javascript; charset=utf-8', text('script/theme.js')),
    script: add('site.js', 'text/javascript; charset=utf-8', Buffer.from(script())),
    font: fonts[0]?.path ?? '',
  };
  return { paths, version: readVersion(), files };
}

export function assetBytes(name: string): Buffer {
  return text(name);
}

function text(name: string): Buffer {
  return readFileSync(new URL(name, FOLDER));
}

function stylesheet(): string {
  const names = readdirSync(new URL('style/', FOLDER)).sort();
  return names.map((name) => text(`style/${name}`).toString()).join('\n');
}

// The scripts are bundled into one file. Each one is wrapped in a function of its own, so that only the exported
// function is visible to the others.
function script(): string {
  const main = text('script/site.js').toString();
  const parts = [...main.matchAll(/from '\.\/(?<file>[\w-]+\.js)'/g)].map(({ groups }) => {
    const source = text(`script/${groups?.file ?? ''}`).toString();
    const name = MODULE.exec(source)?.groups?.name ?? '';
    return `const ${name} = (() => {\n${source.replace(MODULE, 'function $1')}\nreturn ${name};\n})();`;
  });
  return [...parts, main.replaceAll(/^import .*$/gm, '')].join('\n');
}
