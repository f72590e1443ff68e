// Every route of the API. Each resource has a file, with reads and writes apart.
import type { RouteDeclaration } from '../kernel/route.ts';
import { activityRoutes } from './activity.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { askRoutes } from './ask.ts';
import { blocklistRoutes } from './blocklist.ts';
import { categoryRoutes } from './categories.ts';
import { changelogLintRoutes } from './changelog-lint.ts';
import { collectionWriteRoutes } from './collection-writes.ts';
import { collectionRoutes } from './collections.ts';
import { changelogProbeRoutes, evaluateRoutes } from './evaluate.ts';
import { evidenceRoutes } from './evidence.ts';
import { feedbackRoutes } from './feedback.ts';
import { fetchingRoutes } from './fetching.ts';
import { holdRoutes } from './holds.ts';
import { labelRoutes } from './labels.ts';
import { auditRoutes, logRoutes } from './logs.ts';
import { lookupRoutes } from './lookups.ts';
import { manifestRoutes } from './manifests.ts';
import { meRoutes } from './me.ts';
import { meDigestRoutes } from './me-digest.ts';
import { meStackRoutes } from './me-stacks.ts';
import { oauthClientRoutes } from './oauth-clients.ts';
import { orgListRoutes } from './org-lists.ts';
import { orgWriteRoutes } from './org-writes.ts';
import { orgRoutes } from './orgs.ts';
import { overviewRoutes } from './overviews.ts';
import { packageRegistryRoutes } from './package-registries.ts';
import { packageRoutes } from './packages.ts';
import { privateFeedRoutes } from './private-feed.ts';
import { productWriteRoutes } from './product-writes.ts';
import { productRoutes } from './products.ts';
import { readingRoutes } from './readings.ts';
import { siteNoticeRoutes, statsRoutes } from './registry.ts';
import { relatedRoutes } from './related.ts';
import { releaseWriteRoutes } from './release-writes.ts';
import { releaseRoutes } from './releases.ts';
import { reportRoutes } from './reports.ts';
import { embedStatusRoutes, searchRoutes } from './search.ts';
import { sourceReleaseRoutes } from './source-releases.ts';
import { sourceWriteRoutes } from './source-writes.ts';
import { sourceRoutes } from './sources.ts';
import { starterRoutes } from './starter.ts';
import { streamRoutes } from './stream.ts';
import { summaryRoutes } from './summaries.ts';
import { tagRoutes } from './tags.ts';
import { tokenRoutes } from './tokens.ts';
import { webhookLogRoutes } from './webhook-log.ts';
import { meWebhookRoutes, webhookRoutes } from './webhooks.ts';
import { whatsChangedRoutes } from './whats-changed.ts';

export const ROUTES: RouteDeclaration[] = [
  ...activityRoutes,
  ...apiKeyRoutes,
  ...auditRoutes,
  ...blocklistRoutes,
  ...changelogLintRoutes,
  ...changelogProbeRoutes,
  ...collectionWriteRoutes,
  ...collectionRoutes,
  ...embedStatusRoutes,
  ...evaluateRoutes,
  ...evidenceRoutes,
  ...feedbackRoutes,
  ...fetchingRoutes,
  ...holdRoutes,
  ...packageRegistryRoutes,
  ...labelRoutes,
  ...logRoutes,
  ...lookupRoutes,
  ...manifestRoutes,
  ...meRoutes,
  ...meWebhookRoutes,
  ...meDigestRoutes,
  ...meStackRoutes,
  ...oauthClientRoutes,
  ...orgWriteRoutes,
  ...orgRoutes,
  ...orgListRoutes,
  ...overviewRoutes,
  ...packageRoutes,
  ...privateFeedRoutes,
  ...productWriteRoutes,
  ...productRoutes,
  ...readingRoutes,
  ...askRoutes,
  ...starterRoutes,
  ...reportRoutes,
  ...relatedRoutes,
  ...releaseWriteRoutes,
  ...releaseRoutes,
  ...searchRoutes,
  ...siteNoticeRoutes,
  ...sourceWriteRoutes,
  ...sourceRoutes,
  ...sourceReleaseRoutes,
  ...statsRoutes,
  ...streamRoutes,
  ...summaryRoutes,
  ...categoryRoutes,
  ...tagRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  ...webhookLogRoutes,
  ...whatsChangedRoutes,
];
