// All commands, in the order of the help.
import { completionCommands } from './client/commands/completion.ts';
import { CLIENT_COMMANDS } from './client/commands/index.ts';
import type { Command } from './command.ts';
import { SERVER_COMMANDS } from './server-commands.ts';

export const COMMANDS: readonly Command[] = [
  ...SERVER_COMMANDS,
  ...CLIENT_COMMANDS,
  ...completionCommands(() => COMMANDS),
];
