import { readFileSync, writeFileSync } from 'node:fs'
import { RECORD_TYPES } from '../dns/types/index.ts'
import type { Provider } from '../modules/providers/contract.ts'
import { PROVIDERS } from '../modules/providers/registry.ts'
import { ABILITIES, LIMITS } from './provider-abilities.ts'

const PAGE = new URL('../docs/dns-providers.md', import.meta.url)
const START = '<!-- What follows is made by `npm run provider-table`. -->'
const END = '<!-- Here it ends. -->'

const said = (is: boolean) => (is ? 'yes' : 'no')

/** What each provider can, for people: by capability, and by record type. */
function tables(providers: readonly Provider[]): string {
  const head = (first: string) => [first, ...providers.map(({ name }) => name)]
  const cells = (of: (capabilities: Provider['capabilities']) => string) =>
    providers.map(({ capabilities }) => of(capabilities))
  const abilities = Object.values(ABILITIES).map(({ title, lack, has }) => [
    title,
    ...cells((capabilities) => said(has(capabilities))),
    `It ${lack}`,
  ])
  const limits = LIMITS.map(({ title, of }) => [title, ...cells(of), ''])
  const types = RECORD_TYPES.map((type) => [
    `\`${type}\``,
    ...cells(({ recordTypes }) => said(recordTypes.includes(type))),
  ])
  return [
    markdown([[...head('What'), 'Where it is "no"'], ...abilities, ...limits]),
    markdown([head('Record type'), ...types]),
  ].join('\n\n')
}

/** With columns as wide as prettier makes them. */
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
