import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** One line of a table: the same columns as its benchmark's `columns`. */
export type Row = Record<string, string | number>

/** The result of a benchmark. */
export interface Result {
  title: string
  /** The target, in words. */
  target: string
  rows: Row[]
  /** Explanations of the figures. */
  notes?: string[]
}

const PAGE = 'docs/benchmarks.md'

export const median = (numbers: number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The value that this part of them (0.95: 95 %) does not exceed. */
export const quantile = (numbers: number[], part: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.ceil(numbers.length * part) - 1] as number

export const ratio = (value: number): string => value.toFixed(2)
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`
export const verdict = (holds: boolean): string => (holds ? 'yes' : '**no**')

/** Replaces the previous result on the page. */
export function store(name: string, result: Result): void {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < 0) throw new Error(`${PAGE} has no section ${name}`)
  writeFileSync(PAGE, `${page.slice(0, from)}${begin}\n\n${toMarkdown(result)}\n${page.slice(to)}`)
}

export function toMarkdown({ title, target, rows, notes = [] }: Result): string {
  const columns = Object.keys(rows[0] ?? {})
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]
  const widths = columns.map((_, i) => Math.max(3, ...cells.map((line) => line[i]?.length ?? 0)))
  const line = (texts: string[]) => `| ${texts.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  const dashes = widths.map((width) => '-'.repeat(width))
  return [
    `**${title}** Target: ${target}.`,
    '',
    ...[head, dashes, ...body].map(line),
    '',
    ...notes.flatMap((note) => [note, '']),
    `_${today()}, ${machine()}_`,
    '',
  ].join('\n')
}

const today = () => new Date().toISOString().slice(0, 10)

function machine(): string {
  const processors = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${memory} GB, Node ${process.version}`
}
