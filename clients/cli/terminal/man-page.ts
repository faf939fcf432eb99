import type { Argument, Command, Option } from 'commander'

/* The manual page, from the same commands as the help. */

/** Returns the manual page of the program in man(7) format. `after`: sections in its order, as [title, paragraphs]. */
export function manPage(program: Command, version: string, after: [string, string[]][]): string {
  const lines = [
    `.TH ${program.name().toUpperCase()} 1 "" "${program.name()} ${version}" "User Commands"`,
    '.SH NAME',
    `${program.name()} \\- ${text(lowered(program.description()))}`,
    '.SH SYNOPSIS',
    `.B ${program.name()}`,
    '[\\fIOPTION\\fR...] \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]',
    '.SH OPTIONS',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...commandsOf(program, program.name()),
    ...after.flatMap(([title, paragraphs]) => [
      `.SH "${text(title)}"`,
      ...paragraphs.flatMap((paragraph, index) => [...(index > 0 ? ['.PP'] : []), text(paragraph)]),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** Leaf commands in their order, each with its arguments and options. */
const commandsOf = (parent: Command, path: string): string[] =>
  parent
    .createHelp()
    .visibleCommands(parent)
    .flatMap((command) => {
      if (command.name() === 'help') return []
      const own = `${path} ${command.name()}`
      if (command.commands.length > 0) return commandsOf(command, own)
      return [
        '.TP',
        [`\\fB${text(own)}\\fR`, ...command.registeredArguments.map(argumentOf)].join(' '),
        text(sentence(command.description())),
        ...nested(optionsOf(command)),
      ]
    })

const nested = (lines: string[]) => (lines.length === 0 ? [] : ['.RS', ...lines, '.RE'])

function argumentOf(argument: Argument): string {
  const name = `\\fI${text(argument.name())}\\fR${argument.variadic ? '...' : ''}`
  return argument.required ? name : `[${name}]`
}

const optionsOf = (command: Command): string[] =>
  command.options.flatMap((option) => (option.hidden ? [] : ['.TP', flagsOf(option), textOf(option)]))

const flagsOf = ({ flags }: Option): string =>
  flags
    .split(/(<[^>]+>)/)
    .map((part) => (part.startsWith('<') ? `\\fI${text(part.slice(1, -1))}\\fR` : `\\fB${text(part)}\\fR`))
    .join('')

function textOf({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices ? [`one of ${argChoices.join(', ')}`] : []
  const standard = defaultValue === undefined ? [] : [`by default ${String(defaultValue)}`]
  return text(sentence([description, ...choices, ...standard].filter((part) => part !== '').join('; ')))
}

const sentence = (words: string) => (words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`)
const lowered = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** Escapes what man(7) would read as a request, an escape or a hyphen. */
const text = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
