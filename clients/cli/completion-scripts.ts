/** The shells that can be told how to complete. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/*
 * Each asks the program itself, with the words up to the cursor: so what is completed is what there is. The words are
 * given after `--`, as they may look like options.
 */
const SCRIPTS: Record<Shell, string> = {
  bash: `_zonekeeper() {
  local IFS=$'\\n'
  COMPREPLY=($(zonekeeper complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _zonekeeper zonekeeper`,

  zsh: `_zonekeeper() {
  local -a found
  found=("\${(@f)$(zonekeeper complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _zonekeeper zonekeeper`,

  fish: `function __zonekeeper_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (zonekeeper complete -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c zonekeeper -f -a '(__zonekeeper_complete)'`,
}

/** What the shell is to evaluate. */
export const scriptFor = (shell: Shell): string => SCRIPTS[shell]
