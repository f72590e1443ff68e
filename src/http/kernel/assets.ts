// Files that pages load, under names that change with their content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { notFound } from '../../contract/errors.ts';
import { Reply } from './reply.ts';
import { type RouteDeclaration, route } from './route.ts';

const FILES = {
  'pages.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
} as const;

type FileName = keyof typeof FILES;

interface Assets {
  pathOf(name: FileName): string;
  route: RouteDeclaration;
}

export function loadAssets(): Assets {
  const byPath = new Map<string, { type: string; bytes: Buffer }>();
  const paths = new Map<FileName, string>();
  for (const [name, type] of Object.entries(FILES) as [FileName, string][]) {
    const bytes = readFileSync(new URL(`../assets/${name}`, import.meta.url));
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
    const hashed = name.replace('.', `-${hash}.`);
    paths.set(name, `/assets/${hashed}`);
    byPath.set(hashed, { type, bytes });
  }
  return {
    pathOf: (name) => paths.get(name) ?? '',
    route: route({
      method: 'GET',
      path: '/assets/{file}',
      summary: 'A file that pages load',
      tag: 'Pages',
      access: 'public',
      answers: { 200: z.string() },
      run: async (_ctx, { params }) => {
        const asset = byPath.get(params.file ?? '');
        if (!asset) throw notFound('asset', params.file ?? '');
        return new Reply(200, asset.bytes, {
          'Content-Type': asset.type,
          'Cache-Control': 'public, max-age=31536000, immutable',
        });
      },
    }),
  };
}
