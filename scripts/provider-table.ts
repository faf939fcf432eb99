import { readFileSync, writeFileSync } from 'node:fs'
import { RECORD_TYPES } from '../dns/types/index.ts'
import type { Capabilities, Provider } from '../modules/providers/contract.ts'
import { PROVIDERS } from '../modules/providers/registry.ts'
import { ABILITIES, LIMITS, type Ability } from './provider-abilities.ts'

const PAGE = new URL('../docs/dns-providers.md', import.meta.url)
const START = '<!-- What follows is made by `npm run provider-table`. -->'
const END = '<!-- Here it ends. -->'

/** What each provider can, for people: a row for each of them. */
function tables(providers: readonly Provider[]): string {
  const table = (columns: Column[]) =>
    markdown([
      ['Kind', ...columns.map(({ title }) => title)],
      ...providers.map(({ name, capabilities }) => [name, ...columns.map(({ of }) => of(capabilities))]),
    ])
  const abilities = Object.values<Ability>(ABILITIES)
  const columns = abilities.map(({ title, has }) => ({
    title,
    of: (capabilities: Capabilities) => (has(capabilities) ? 'yes' : '–'),
  }))
  const groups = Array.from({ length: Math.ceil(columns.length / COLUMNS) }, (_, i) =>
    table(columns.slice(i * COLUMNS, (i + 1) * COLUMNS)),
  )
  return [
    ...groups,
    'What "–" means:',
    abilities.map(({ title, lack }) => `- ${title}: the kind ${lack}.`).join('\n'),
    table([...LIMITS]),
    table([{ title: 'Record types', of: typesOf }]),
  ].join('\n\n')
}

interface Column {
  title: string
  of: (capabilities: Capabilities) => string
}

// More would not be readable side by side.
const COLUMNS = 7

/** The types that it has; of nearly all of them those that it hasn't. */
function typesOf({ recordTypes, otherTypes }: Capabilities): string {
  const has = RECORD_TYPES.filter((type) => recordTypes.includes(type))
  const lacks = RECORD_TYPES.filter((type) => !recordTypes.includes(type))
  const named =
    lacks.length === 0
      ? 'all'
      : lacks.length < has.length / 2
        ? `all but ${lacks.join(', ')}`
        : has.join(', ')
  return otherTypes ? `${named}; any other by its number` : named
}

/** With columns as wide as oxfmt makes them. */
function markdown([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** The page as it is, and as it should be with tables of these providers. Throws where it has no place for them. */
export function providerPage(providers: readonly Provider[] = PROVIDERS): { is: string; shouldBe: string } {
  const is = readFileSync(PAGE, 'utf8')
  const [before, rest] = is.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`docs/dns-providers.md has no place for the tables, between ${START} and ${END}`)
  return { is, shouldBe: `${before}${START}\n\n${tables(providers)}\n\n${END}${after}` }
}

if (import.meta.main) writeFileSync(PAGE, providerPage().shouldBe)
