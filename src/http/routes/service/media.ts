// Hosted copies of images; each name is the hash of the content.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { notFound } from '../../../contract/errors.ts';
import { IMAGE_TYPES, type ImageExtension } from '../../../domain/net/image-type.ts';
import { Reply } from '../../kernel/reply.ts';
import { type RouteDeclaration, route } from '../../kernel/route.ts';

const NAME = /^[0-9a-f]{64}\.(?<extension>[a-z]{3,4})$/;

export function mediaRoute(folder: string): RouteDeclaration {
  return route({
    method: 'GET',
    path: '/media/{file}',
    summary: 'A copy of an image',
    tag: 'Pages',
    access: 'public',
    answers: { 200: z.string() },
    cacheBytes: false,
    run: async (_ctx, { params }) => {
      const name = params.file ?? '';
      const extension = NAME.exec(name)?.groups?.extension as ImageExtension | undefined;
      const type = extension && IMAGE_TYPES[extension];
      const bytes = type ? await readFile(join(folder, 'media', name)).catch(() => null) : null;
      if (!type || !bytes) throw notFound('media', name);
      return new Reply(200, bytes, {
        'Content-Type': type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        // An image that is opened on its own, such as an SVG, may load nothing.
        'Content-Security-Policy': "default-src 'none'",
      });
    },
  });
}
