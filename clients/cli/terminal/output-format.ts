import { Option, type Command } from 'commander'

/** How answers are printed: for people, or as the API returns them. */
export type OutputFormat = 'table' | 'json' | 'yaml'

const FORMATS: readonly OutputFormat[] = ['table', 'json', 'yaml']

/** Commands whose answers have no format. */
const WITHOUT: ReadonlySet<string> = new Set(['login', 'logout', 'mcp', 'completion', 'complete', 'man'])

const formatted = new WeakSet<Command>()

/** Adds `--output` to all commands but those that have an option of that name, and those that print none of the API's answers. */
export function addOutputFormats(command: Command): void {
  for (const one of command.commands) {
    addOutputFormats(one)
    const isTaken = one.options.some(({ long }) => long === '--output')
    if (one.commands.length > 0 || isTaken || WITHOUT.has(one.name())) continue
    one.addOption(new Option('--output <FORMAT>', 'how to print the answer').choices(FORMATS))
    formatted.add(one)
  }
}

/** Takes the format out of the options of a command, which then has only its own; `--output` takes precedence over `--json`. */
export function takeFormat(command: Command): OutputFormat {
  const { output, json } = command.optsWithGlobals<{ output?: OutputFormat; json?: boolean }>()
  if (!formatted.has(command)) return json === true ? 'json' : 'table'
  command.setOptionValue('output', undefined)
  return output ?? (json === true ? 'json' : 'table')
}
