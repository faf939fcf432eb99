import { readTtl } from './ttl.ts'

/** A line of what was pasted, understood or with the reason why not. */
export interface Pasted {
  line: number
  text: string
  record: { name: string; recordType: string; value: string; ttl: number | null } | null
  reason: 'no-type' | 'no-value' | 'no-name' | null
}

const CLASSES = new Set(['IN', 'CH', 'HS'])

/** Cuts a line at blanks, with what is in quotes whole. */
const wordsOf = (line: string) => line.match(/"(?:\\.|[^"\\])*"|[^\s"]+/g) ?? []

/** Cells of a line of CSV or TSV (RFC 4180). */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let rest = line
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    const end = quoted ? quoted[0].length : 0
    const cut = rest.indexOf(separator, end)
    const cell = quoted ? quoted[1]?.replaceAll('""', '"') : (cut < 0 ? rest : rest.slice(0, cut)).trim()
    cells.push(cell ?? '')
    if (cut < 0) return cells
    rest = rest.slice(cut + 1)
  }
}

const HEADS: Record<string, string> = {
  name: 'name',
  host: 'name',
  type: 'type',
  recordtype: 'type',
  value: 'value',
  content: 'value',
  data: 'value',
  target: 'value',
  ttl: 'ttl',
  priority: 'priority',
  prio: 'priority',
}

/** Without the comment of a zone file, which begins at a `;` outside of quotes. */
const withoutComment = (line: string) => /^(?:"(?:\\.|[^"\\])*"|[^";])*/.exec(line)?.[0] ?? line

/** TXT is given without its quotes; several strings are joined. */
const unquoted = (value: string) =>
  value.startsWith('"')
    ? wordsOf(value)
        .map((word) => word.replace(/^"|"$/g, '').replace(/\\(["\\;])/g, '$1'))
        .join('')
    : value

/** `name [ttl] [class] type value`, as in zone files; `before`: the name of the line before, for lines without one. */
function zoneLine(line: string, types: ReadonlySet<string>, before: string) {
  const text = withoutComment(line)
  const words = wordsOf(text)
  const at = words.findIndex(
    (word, index) => types.has(word.toUpperCase()) && (index > 0 || /^\s/.test(text)),
  )
  if (at < 0) return null
  const recordType = (words[at] as string).toUpperCase()
  const ahead = words.slice(0, at).filter((word) => !CLASSES.has(word.toUpperCase()))
  const hasName = !/^\s/.test(text) && ahead.length > 0
  const name = hasName ? (ahead[0] as string) : before
  const ttlText = ahead.slice(hasName ? 1 : 0)[0]
  const ttl = ttlText === undefined ? null : readTtl(ttlText)
  // What follows the type, as it was written: blanks within quotes count.
  const value = text
    .slice(text.indexOf(words[at] as string, text.indexOf(ahead.at(-1) ?? '')) + recordType.length)
    .trim()
  return {
    name,
    recordType,
    ttl,
    value: recordType === 'TXT' ? unquoted(value) : value.replace(/(?<=[^\s.])\.(?=\s|$)/g, ''),
  }
}

/**
 * Reads what was pasted: lines of a zone file, CSV or TSV with or without a head, or `name type value`. Names may end
 * with the domain's. `types`: the record types that there are.
 */
export function readPaste(text: string, types: readonly string[], domain: string): Pasted[] {
  const known = new Set(types)
  const lines = text.split(/\r?\n/).map((line, at) => ({ line: at + 1, text: line }))
  const filled = lines.filter(
    ({ text: one }) => one.trim() !== '' && !/^\s*[;#]/.test(one) && !one.startsWith('$'),
  )
  const separator = filled.some(({ text: one }) => one.includes('\t')) ? '\t' : ','
  const head = cellsOf(filled[0]?.text ?? '', separator).map(
    (cell) => HEADS[cell.toLowerCase().replaceAll(/\W/g, '')],
  )
  const isTable = head.includes('name') && head.includes('type')
  let before = '@'
  return (isTable ? filled.slice(1) : filled).map(({ line, text: one }) => {
    const read = isTable
      ? tableLine(cellsOf(one, separator), head, known)
      : plainLine(one, separator, known, before)
    if (read === null) return { line, text: one, record: null, reason: 'no-type' as const }
    if (read.name === '') return { line, text: one, record: null, reason: 'no-name' as const }
    if (read.value === '') return { line, text: one, record: null, reason: 'no-value' as const }
    before = read.name
    return { line, text: one, record: { ...read, name: shortened(read.name, domain) }, reason: null }
  })
}

function tableLine(cells: string[], head: (string | undefined)[], known: ReadonlySet<string>) {
  const cell = (name: string) => cells[head.indexOf(name)]?.trim() ?? ''
  const recordType = cell('type').toUpperCase()
  if (!known.has(recordType)) return null
  const priority = head.includes('priority') ? cell('priority') : ''
  const value = cell('value')
  const joined = priority !== '' && !/^\d+\s/.test(value) ? `${priority} ${value}` : value
  return {
    name: cell('name') || '@',
    recordType,
    ttl: head.includes('ttl') ? readTtl(cell('ttl')) : null,
    value: recordType === 'TXT' ? unquoted(value) : ['MX', 'SRV'].includes(recordType) ? joined : value,
  }
}

function plainLine(line: string, separator: string, known: ReadonlySet<string>, before: string) {
  const cells = cellsOf(line, separator)
  // Cells without a head: name, type, value and perhaps TTL.
  if (cells.length >= 3 && known.has((cells[1] ?? '').trim().toUpperCase())) {
    return tableLine(cells, ['name', 'type', 'value', 'ttl'], known)
  }
  return zoneLine(line, known, before)
}

/** A full name without the domain's. */
function shortened(name: string, domain: string): string {
  const plain = name.replace(/\.$/, '').toLowerCase()
  if (plain === domain || plain === '@') return '@'
  return plain.endsWith(`.${domain}`) ? plain.slice(0, -domain.length - 1) : plain
}
