// Shell completion. The list of all commands is passed in, because it contains these two.
import { type Command, EXIT } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import { candidatesFor, knownNames } from '../completion/names.ts';

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

// The completion scripts of shells. Each calls `registry __complete`, which knows all commands.

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type ShellName = (typeof SHELLS)[number];

// Printed instead of words where file names are expected.
const FILES_MARK = ':files';

const BASH = `# Completion of registry for bash:  source <(registry completion bash)
_registry() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = '${FILES_MARK}' ]; then
      compopt -o default 2>/dev/null
      COMPREPLY=()
      return
    fi
    COMPREPLY+=("$line")
  done < <(registry __complete -- "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null)
}
complete -F _registry registry
`;

const ZSH = `#compdef registry
# Completion of registry for zsh:  source <(registry completion zsh)
_registry() {
  local -a answer
  answer=("\${(@f)$(registry __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${answer[1]}" == '${FILES_MARK}' ]]; then
    _files
  elif [[ -n "\${answer[1]}" ]]; then
    compadd -- "\${answer[@]}"
  fi
}
compdef _registry registry
`;

const FISH = `# Completion of registry for fish:  registry completion fish | source
function __registry_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (registry __complete -- $typed[2..-1] "$current" 2>/dev/null)
    if test "$answer[1]" = '${FILES_MARK}'
        __fish_complete_path "$current"
    else
        printf '%s\\n' $answer
    end
end
complete -c registry -f -a '(__registry_complete)'
`;

// Older PowerShell versions drop empty arguments, so a switch marks an empty word.
const POWERSHELL = `# Completion of registry for PowerShell:  registry completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName registry -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    $answer = if ($wordToComplete -eq '') { registry __complete --empty -- @typed } else { registry __complete -- @typed }
    $answer | Where-Object { $_ -ne '${FILES_MARK}' } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
`;

const SCRIPTS: Record<ShellName, string> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };

function completionScript(shell: ShellName): string {
  return SCRIPTS[shell];
}
