// Shell completion. The list of all commands is passed in, because it contains these two.
import { type Command, EXIT } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { candidatesFor } from '../completion/candidates.ts';
import { knownNames } from '../completion/names.ts';
import { completionScript, FILES_MARK, SHELLS, type ShellName } from '../completion/scripts.ts';

export const completionCommands = (allCommands: () => readonly Command[]): Command[] => [
  clientCommand({
    name: 'completion',
    summary: 'Print the completion of commands, options and names for a shell',
    arguments: [{ name: 'shell', help: SHELLS.join(', '), choices: SHELLS }],
    examples: ['source <(registry completion bash)', 'registry completion fish | source'],
    async run({ args, output }) {
      const script = completionScript(args.shell as ShellName);
      if (output.mode === 'json') output.json({ shell: args.shell, script });
      else output.text(script);
      return EXIT.ok;
    },
  }),
  clientCommand({
    name: '__complete',
    summary: 'What can stand where the cursor is; asked by the scripts of `registry completion`',
    isHidden: true,
    arguments: [{ name: 'word', help: 'all words up to the cursor', many: true, optional: true }],
    flags: { empty: { type: 'boolean', help: 'the word at the cursor is empty' } },
    examples: ['registry __complete -- org get ac'],
    async run(session) {
      const words = session.flags.empty ? [...session.list, ''] : session.list;
      const partial = words.at(-1) ?? '';
      const found = candidatesFor(allCommands(), { typed: words.slice(0, -1), partial });
      if (found.names === 'file') session.output.line(FILES_MARK);
      const names = found.names === null || found.names === 'file' ? [] : await namesOf(session, found.names);
      const fitting = [...found.words, ...names].filter((word) => word.startsWith(partial));
      for (const word of new Set(fitting)) session.output.line(word);
      return EXIT.ok;
    },
  }),
];

async function namesOf(session: Session, kind: 'org' | 'source' | 'entity'): Promise<readonly string[]> {
  try {
    // A --server flag on the command line is ignored, because it may not be complete yet.
    const { server } = session.connection;
    const { orgs, sources } = await knownNames({ env: session.env, server, now: Date.now() });
    return { org: orgs, source: sources, entity: [...orgs, ...sources] }[kind];
  } catch {
    return [];
  }
}
