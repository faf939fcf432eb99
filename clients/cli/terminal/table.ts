import { printable } from '../../printable.ts'

export interface Column<Row> {
  title: string
  of: (row: Row) => string | number | null
  /** Truncated if the table is wider than the terminal. */
  long?: boolean
}

const GAP = '  '
const SHORTEST = 12

/**
 * Lays out rows in columns. The first rows determine the widths, so that lists of any length can be printed page by page.
 * With `width` null nothing is truncated.
 */
export function createTable<Row>(
  columns: Column<Row>[],
  width: number | null,
): { lines(rows: Row[]): string[] } {
  let widths: number[] | null = null

  const cells = (row: Row) => columns.map(({ of }) => printable(String(of(row) ?? '')))
  const lineOf = (row: string[], final: number[]) =>
    row
      .map((cell, index) => fit(cell, final[index] as number, width !== null))
      .join(GAP)
      .trimEnd()

  return {
    lines(rows) {
      const texts = rows.map(cells)
      if (widths) return texts.map((row) => lineOf(row, widths as number[]))
      const titles = columns.map(({ title }) => title)
      const final = narrowed(
        columns,
        titles.map((title, index) =>
          Math.max(...[title, ...texts.map((row) => row[index] as string)].map(widthOf)),
        ),
        width,
      )
      widths = final
      return [titles, ...texts].map((row) => lineOf(row, final))
    },
  }
}

/** Shortens the long columns to fit, the widest first. */
function narrowed<Row>(columns: Column<Row>[], widths: number[], room: number | null): number[] {
  const result = [...widths]
  if (room === null) return result
  const over = () => result.reduce((sum, one) => sum + one, GAP.length * (columns.length - 1)) - room
  while (over() > 0) {
    const long = result.map((one, index) => (columns[index]?.long && one > SHORTEST ? one : 0))
    const widest = Math.max(...long)
    if (widest === 0) break
    const index = long.indexOf(widest)
    const second = Math.max(SHORTEST, ...long.filter((_, other) => other !== index))
    result[index] = Math.max(SHORTEST, Math.min(widest - 1, Math.max(widest - over(), second - 1)))
  }
  return result
}

function fit(text: string, width: number, mayCut: boolean): string {
  const missing = width - widthOf(text)
  if (missing >= 0) return text + ' '.repeat(missing)
  if (!mayCut) return text
  let cut = ''
  let used = 0
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    cut += segment
  }
  return `${cut}…${' '.repeat(width - 1 - widthOf(cut))}`
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
const PLAIN = /^[\x20-\x7e]*$/
/** Characters two cells wide (UAX 11: W and F). */
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60\p{Emoji_Presentation}]/u

/** Returns the width of a text on a terminal, in cells. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  return [...GRAPHEMES.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0)
}

/** A time as lists show it: `2026-11-21 12:00`, in UTC. */
export const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ')

/** Iterates over the first rows only, and so reads no further pages. */
export async function* firstOf<Row>(rows: AsyncIterable<Row>, number: number): AsyncGenerator<Row> {
  let left = number
  for await (const row of rows) {
    yield row
    if (--left === 0) return
  }
}
