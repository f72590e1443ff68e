// Every route of the API. A file a resource; reads and writes apart.
import type { RouteDeclaration } from '../route.ts';
import { releaseWriteRoutes } from './release-writes.ts';
import { releaseRoutes } from './releases.ts';
import { sourceWriteRoutes } from './source-writes.ts';
import { sourceRoutes } from './sources.ts';
import { tokenRoutes } from './tokens.ts';

export const ROUTES: RouteDeclaration[] = [
  ...releaseRoutes,
  ...releaseWriteRoutes,
  ...sourceRoutes,
  ...sourceWriteRoutes,
  ...tokenRoutes,
];
