// All commands that talk to a server, in the order of the help.
import type { Command } from '../../command.ts';
import type { OfflineRegistry } from '../upgrade/judge-changes.ts';
import { adminCollectionCommands } from './admin/collections.ts';
import { adminDeadLetterCommands } from './admin/dead-letters.ts';
import { adminLogCommands } from './admin/logs.ts';
import { adminNoticeCommands } from './admin/notice.ts';
import { adminOrgCommands } from './admin/orgs.ts';
import { adminProductCommands } from './admin/products.ts';
import { adminReleaseCommands } from './admin/releases.ts';
import { sourceAddCommands } from './admin/source-add.ts';
import { adminSourceCommands } from './admin/sources.ts';
import { adminTokenCommands } from './admin/tokens.ts';
import { checkCommands } from './check.ts';
import { collectionCommands } from './collection.ts';
import { compareCommands } from './compare.ts';
import { followingCommands } from './following.ts';
import { getCommands } from './get.ts';
import { keyCommands } from './keys.ts';
import { latestCommands } from './latest.ts';
import { lintCommands } from './lint.ts';
import { loginCommands } from './login.ts';
import { orgCommands } from './org.ts';
import { searchCommands } from './search.ts';
import { sourceCommands } from './source.ts';
import { stackCommands } from './stack.ts';
import { statsCommands } from './stats.ts';
import { adminWebhookCommands, webhookCommands } from './webhook/index.ts';
import { webhookVerifyCommands } from './webhook/verify.ts';
import { whatsChangedCommands } from './whats-changed.ts';

export const clientCommands = (withOfflineRegistry: OfflineRegistry | null): readonly Command[] => [
  ...searchCommands,
  ...latestCommands,
  ...getCommands,
  ...orgCommands,
  ...sourceCommands,
  ...sourceAddCommands,
  ...collectionCommands,
  ...statsCommands,
  ...checkCommands,
  ...lintCommands,
  ...whatsChangedCommands(withOfflineRegistry),
  ...compareCommands,
  ...loginCommands,
  ...followingCommands,
  ...stackCommands,
  ...keyCommands,
  ...webhookCommands,
  ...webhookVerifyCommands,
  ...adminOrgCommands,
  ...adminProductCommands,
  ...adminSourceCommands,
  ...adminCollectionCommands,
  ...adminReleaseCommands,
  ...adminNoticeCommands,
  ...adminTokenCommands,
  ...adminDeadLetterCommands,
  ...adminLogCommands,
  ...adminWebhookCommands,
];
