import { Argument, type Command } from 'commander'
import { candidates } from '../completion.ts'
import { scriptFor, SHELLS, type Shell } from '../completion-scripts.ts'
import type { Session } from '../session.ts'

/** Completion of commands, options and domains by the tabulator. */
export function addCompletion(program: Command, session: Session): void {
  program
    .command('completion')
    .addArgument(new Argument('SHELL').choices(SHELLS))
    .description('write what makes a shell complete the commands of this program')
    .addHelpText(
      'after',
      '\nbash: eval "$(zonekeeper completion bash)"   in ~/.bashrc' +
        '\nzsh:  eval "$(zonekeeper completion zsh)"    in ~/.zshrc' +
        '\nfish: zonekeeper completion fish | source    in ~/.config/fish/config.fish',
    )
    .action((shell: Shell) => session.say(scriptFor(shell)))

  // What the scripts ask: the words after the name of the program, the last one as far as it is typed.
  program
    .command('complete', { hidden: true })
    .argument('[WORDS...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      for (const candidate of await candidates(program, session, words)) await session.say(candidate)
    })
}
