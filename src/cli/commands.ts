// All commands, in the order of the help.
import { completionCommands } from './client/commands/completion.ts';
import { clientCommands } from './client/commands/index.ts';
import type { Command } from './command.ts';
import { OFFLINE_REGISTRY, SERVER_COMMANDS } from './server-commands.ts';

export const COMMANDS: readonly Command[] = [
  ...SERVER_COMMANDS,
  ...clientCommands(OFFLINE_REGISTRY),
  ...completionCommands(() => COMMANDS),
];
