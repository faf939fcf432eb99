import type { Command, Option } from 'commander'
import type { Session } from './session.ts'

const LIMIT = 100

/**
 * Returns completions of the last word: commands, options, choices or domain names. Returns none for files, which shells
 * complete themselves, and no domain names if the service can't be reached.
 */
export async function candidates(program: Command, session: Session, words: string[]): Promise<string[]> {
  const current = words.at(-1) ?? ''
  const { command, position, option } = positionOf(program, words.slice(0, -1))
  const fits = (all: string[]) => all.filter((one) => one.startsWith(current))
  if (option) {
    const wantsDomain = option.flags.endsWith('<DOMAIN>')
    return fits(wantsDomain ? await domainNames(session, current) : (option.argChoices ?? []))
  }
  if (current.startsWith('-')) return fits(optionsOf(command))
  const commands = command.commands.map((one) => one.name()).filter((name) => name !== 'complete')
  if (commands.length > 0 && position === 0) return fits([...commands, 'help'])
  const last = command.registeredArguments.at(-1)
  const argument = command.registeredArguments[position] ?? (last?.variadic ? last : undefined)
  if (argument?.name() === 'DOMAIN') return fits(await domainNames(session, current))
  return fits(argument?.argChoices ?? [])
}

interface CursorPosition {
  command: Command
  /** Number of arguments before the cursor. */
  position: number
  /** The option that expects a value here. */
  option: Option | null
}

/** Finds the command, argument or option at the cursor. */
function positionOf(program: Command, words: string[]): CursorPosition {
  let command = program
  let position = 0
  let option: Option | null = null
  for (const word of words) {
    if (option) {
      option = null
      continue
    }
    if (word.startsWith('-')) {
      const named = command.options.find(({ short, long }) => word === short || word === long)
      option = named?.required ? named : null
      continue
    }
    const next = position === 0 ? command.commands.find((one) => one.name() === word) : undefined
    if (next) command = next
    else position++
  }
  return { command, position, option }
}

function optionsOf(command: Command): string[] {
  const all = [...command.options, ...(command.parent ? rootOf(command).options : [])]
  return ['--help', ...all.flatMap(({ long }) => long ?? [])]
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)

async function domainNames(session: Session, beginning: string): Promise<string[]> {
  try {
    const client = await session.client()
    const search = beginning === '' ? {} : { search: beginning }
    const { domains } = await client.GET('/api/v1/domains', { query: { ...search, limit: LIMIT } })
    return domains.map(({ name }) => name)
  } catch {
    // A message would disturb the prompt, and commands complete without the service.
    return []
  }
}
