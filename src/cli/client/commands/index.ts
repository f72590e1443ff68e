// All commands that talk to a server, in the order of the help.
import type { Command } from '../../command.ts';
import { collectionCommands } from './collection.ts';
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
import { webhookCommands } from './webhook.ts';
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
];
