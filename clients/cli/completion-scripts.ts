/** Supported shells. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/* Each script calls the program with the words up to the cursor, after `--` because they may look like options. */
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

/** Returns the script for a shell. */
export const scriptFor = (shell: Shell): string => SCRIPTS[shell]
