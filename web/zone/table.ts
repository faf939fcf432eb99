import { readTtl } from './ttl.ts'

/** A parsed row, or the reason why it can't be parsed. */
export interface TableRow {
  line: number
  text: string
  record: { name: string; recordType: string; value: string; ttl: number | null } | null
  reason: 'no-type' | 'no-value' | 'outside' | null
}

/** Cells of a CSV or TSV line (RFC 4180). */
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
/** Columns of a table without a header. */
const USUAL = ['name', 'type', 'value', 'ttl']

/** Whether the text may be zone file lines: it has a type followed by something. */
export const mayBeRecords = (text: string, types: readonly string[]): boolean =>
  new RegExp(`(?:^|\\s)(?:${types.join('|')})\\s+\\S`, 'i').test(text)

/** TXT without quotes, with its strings joined. */
const unquoted = (value: string) =>
  value.startsWith('"')
    ? (value.match(/"(?:\\.|[^"\\])*"|[^\s"]+/g) ?? [])
        .map((word) => word.replace(/^"|"$/g, '').replace(/\\(["\\;])/g, '$1'))
        .join('')
    : value

/**
 * Parses CSV or TSV with or without a header; null for other text, such as zone file lines, which the service parses.
 * Values are as the console shows them, with full host names. Names may end with the domain.
 */
export function readTable(text: string, types: readonly string[], domain: string): TableRow[] | null {
  const known = new Set(types)
  const lines = text.split(/\r?\n/).map((line, at) => ({ line: at + 1, text: line }))
  const filled = lines.filter(({ text: one }) => one.trim() !== '' && !/^\s*[;#]/.test(one))
  const separator = filled.some(({ text: one }) => one.includes('\t')) ? '\t' : ','
  const rows = filled.map(({ text: one }) => cellsOf(one, separator))
  const head = rows[0]?.map((cell) => HEADS[cell.toLowerCase().replaceAll(/\W/g, '')]) ?? []
  const hasHead = head.includes('name') && head.includes('type')
  const hasTypes =
    rows.length > 0 && rows.every(([, type = '', value]) => value && known.has(type.toUpperCase()))
  // Zone files can contain tabs too, but not unquoted text with spaces.
  const isZoneFile =
    separator === '\t' && !rows.some(([, type, value]) => type === 'TXT' && /^[^"].*\s/.test(value ?? ''))
  if (!hasHead && (!hasTypes || isZoneFile)) return null
  return filled.slice(hasHead ? 1 : 0).map(({ line, text: one }) => {
    const read = rowOf(cellsOf(one, separator), hasHead ? head : USUAL)
    const name = shortened(read.name, domain)
    const reason = !known.has(read.recordType)
      ? ('no-type' as const)
      : name === null
        ? ('outside' as const)
        : read.value === ''
          ? ('no-value' as const)
          : null
    return { line, text: one, record: reason === null ? { ...read, name: name as string } : null, reason }
  })
}

function rowOf(cells: string[], head: readonly (string | undefined)[]) {
  const cell = (name: string) => cells[head.indexOf(name)]?.trim() ?? ''
  const recordType = cell('type').toUpperCase()
  const [value, priority] = [cell('value'), cell('priority')]
  const joined = priority !== '' && !/^\d+\s/.test(value) ? `${priority} ${value}` : value
  return {
    name: cell('name') || '@',
    recordType,
    ttl: readTtl(cell('ttl')) || null,
    value: recordType === 'TXT' ? unquoted(value) : ['MX', 'SRV'].includes(recordType) ? joined : value,
  }
}

/** Relative name; null if it belongs to another domain. */
function shortened(name: string, domain: string): string | null {
  const plain = name.replace(/\.$/, '').toLowerCase()
  if (plain === domain || plain === '@') return '@'
  if (plain.endsWith(`.${domain}`)) return plain.slice(0, -domain.length - 1)
  return name.endsWith('.') ? null : plain
}

interface CsvRecord {
  name: string
  recordType: string
  value: string
  ttl: number | null
  comment: string
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Records as CSV with a header (RFC 4180), which can be pasted back. */
export const asCsv = (records: readonly CsvRecord[]): string =>
  [
    ['name', 'type', 'ttl', 'value', 'comment'],
    ...records.map(({ name, recordType, ttl, value, comment }) => [
      name,
      recordType,
      ttl ? String(ttl) : '',
      value,
      comment,
    ]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')
