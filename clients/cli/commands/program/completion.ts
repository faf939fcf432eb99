import { Argument, type Command } from 'commander'
import { candidates } from '../../completion.ts'
import { scriptFor, SHELLS, type Shell } from '../../completion-scripts.ts'
import type { Session } from '../../session.ts'

/** Adds shell completion of commands, options and domains. */
export function addCompletion(program: Command, session: Session): void {
  program
    .command('completion')
    .addArgument(new Argument('SHELL').choices(SHELLS))
    .description('print a shell completion script')
    .addHelpText(
      'after',
      '\nbash: eval "$(zonekeeper completion bash)"   in ~/.bashrc' +
        '\nzsh:  eval "$(zonekeeper completion zsh)"    in ~/.zshrc' +
        '\nfish: zonekeeper completion fish | source    in ~/.config/fish/config.fish',
    )
    .action((shell: Shell) => session.say(scriptFor(shell)))

  // Called by the scripts with the words after the program name; the last one may be incomplete.
  program
    .command('complete', { hidden: true })
    .argument('[WORDS...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      for (const candidate of await candidates(program, session, words)) await session.say(candidate)
    })
}
