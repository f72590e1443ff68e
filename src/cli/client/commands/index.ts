// All commands that talk to a server, in the order of the help.
import type { Command } from '../../command.ts';
import { adminCatalogCommands } from './admin-catalog.ts';
import { adminReleaseCommands } from './admin-releases.ts';
import { adminServiceCommands } from './admin-service.ts';
import { collectionCommands } from './collection.ts';
import { completionCommands } from './completion.ts';
import { followingCommands } from './following.ts';
import { getCommands } from './get.ts';
import { keyCommands } from './keys.ts';
import { latestCommands } from './latest.ts';
import { loginCommands } from './login.ts';
import { orgCommands } from './org.ts';
import { searchCommands } from './search.ts';
import { sourceCommands } from './source.ts';
import { sourceAddCommands } from './source-add.ts';
import { statsCommands } from './stats.ts';
import { adminWebhookCommands, webhookCommands } from './webhook.ts';
import { webhookVerifyCommands } from './webhook-verify.ts';
import { whatsChangedCommands } from './whats-changed.ts';

export const CLIENT_COMMANDS: readonly Command[] = [
  ...searchCommands,
  ...latestCommands,
  ...getCommands,
  ...orgCommands,
  ...sourceCommands,
  ...sourceAddCommands,
  ...collectionCommands,
  ...statsCommands,
  ...whatsChangedCommands,
  ...loginCommands,
  ...followingCommands,
  ...keyCommands,
  ...webhookCommands,
  ...webhookVerifyCommands,
  ...adminCatalogCommands,
  ...adminReleaseCommands,
  ...adminServiceCommands,
  ...adminWebhookCommands,
  ...completionCommands,
];
