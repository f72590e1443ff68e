// The completion scripts of shells. Each calls `registry __complete`, which knows all commands.

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type ShellName = (typeof SHELLS)[number];

// Printed instead of words where file names are expected.
export const FILES_MARK = ':files';

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

export function completionScript(shell: ShellName): string {
  return SCRIPTS[shell];
}
