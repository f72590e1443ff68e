// Every route of the API. A file a resource; reads and writes apart.
import type { RouteDeclaration } from '../route.ts';
import { activityRoutes } from './activity.ts';
import { labelRoutes } from './labels.ts';
import { lookupRoutes } from './lookups.ts';
import { manifestRoutes } from './manifest.ts';
import { orgWriteRoutes } from './org-writes.ts';
import { orgRoutes } from './orgs.ts';
import { overviewRoutes } from './overviews.ts';
import { packageRoutes } from './packages.ts';
import { productWriteRoutes } from './product-writes.ts';
import { productRoutes } from './products.ts';
import { releaseWriteRoutes } from './release-writes.ts';
import { releaseRoutes } from './releases.ts';
import { sourceWriteRoutes } from './source-writes.ts';
import { sourceRoutes } from './sources.ts';
import { summaryRoutes } from './summaries.ts';
import { tokenRoutes } from './tokens.ts';

export const ROUTES: RouteDeclaration[] = [
  ...activityRoutes,
  ...labelRoutes,
  ...lookupRoutes,
  ...manifestRoutes,
  ...orgWriteRoutes,
  ...orgRoutes,
  ...overviewRoutes,
  ...packageRoutes,
  ...productWriteRoutes,
  ...productRoutes,
  ...releaseWriteRoutes,
  ...releaseRoutes,
  ...sourceWriteRoutes,
  ...sourceRoutes,
  ...summaryRoutes,
  ...tokenRoutes,
];
