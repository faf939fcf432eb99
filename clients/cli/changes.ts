import type { Command } from 'commander'
import { asciiOf } from '../domain-names.ts'
import type { DnsRecord, RecordChanges, Zonekeeper } from '../typescript/index.ts'
import { every } from '../typescript/paging.ts'
import { EXIT, CliError } from './failures.ts'
import { repeated, seconds } from './options.ts'
import type { Session } from './session.ts'
import { readFileOrInput } from './zone-files.ts'

export type RequestedChange = RecordChanges['changes'][number]

const LIMIT = 1000

/**
 * Returns the records of a name, of one type or all. The name is interpreted as the service does: relative first, and if
 * there are no records, as a full name below the domain.
 */
export async function readRrset(
  client: Zonekeeper,
  domain: { id: string; name: string },
  name: string,
  type: string | undefined,
): Promise<DnsRecord[]> {
  const found = new Map<string, DnsRecord[]>(readings(name, domain.name).map((reading) => [reading, []]))
  // The shortest name occurs in all of them; the apex has no text to search for.
  const [search] = [...found.keys()].sort((a, b) => a.length - b.length)
  const filters = {
    limit: LIMIT,
    ...(search !== '@' && { search: search as string }),
    ...(type !== undefined && { type: [type] }),
  }
  const list = every('records', (page) =>
    client.GET('/api/v1/domains/{id}/records', { path: { id: domain.id }, query: { ...filters, ...page } }),
  )
  for await (const record of list) found.get(record.name.toLowerCase())?.push(record)
  return [...found.values()].find((records) => records.length > 0) ?? []
}

/** Returns the names that the input may mean in a domain, the relative one first. */
function readings(name: string, domain: string): string[] {
  const ascii = asciiOf(name)
  const short =
    ascii === domain ? '@' : ascii.endsWith(`.${domain}`) ? ascii.slice(0, -domain.length - 1) : ascii
  return name.endsWith('.') ? [short] : [...new Set([ascii, short])]
}

/** Sets the values of a name and type; the service also deletes records that only the DNS provider has. */
export const changeToSet = (
  recordType: string,
  name: string,
  values: string[],
  more: { ttl?: number } = {},
): RequestedChange => ({ action: 'set', recordType: recordType, name, values, ...more })

export interface ChangeOptions {
  add?: string[]
  set?: string[]
  rm?: string[]
  ttl?: number
}

/** Adds the options that say what to change, and their help. */
export const withChanges = (command: Command): Command =>
  command
    .option('--add <RECORD>', 'create "NAME TYPE VALUE"; can be given several times', repeated)
    .option('--set <RECORD>', 'make "NAME TYPE VALUE" the only value of that name and type', repeated)
    .option('--rm <RECORD>', 'delete "NAME", "NAME TYPE" or "NAME TYPE VALUE"', repeated)
    .option('--ttl <SECONDS>', 'TTL of added and set records', seconds)
    .addHelpText(
      'after',
      '\nFILE (- for standard input) is a zone file, whose records are added or updated, or JSON: "changes" of the API.',
    )

/** What a command line asks for: changes, or the text of a zone file. */
export type ChangeInput = { changes: RequestedChange[] } | { zonefile: string }

/** Returns the changes of the options or the file; null if neither is given. Rejects with CliError if both are. */
export async function changeInput(
  session: Session,
  client: Zonekeeper,
  domain: { id: string; name: string },
  file: string | undefined,
  options: ChangeOptions,
): Promise<ChangeInput | null> {
  const changes = await changesOf(client, domain, options)
  if (file === undefined) return changes.length > 0 ? { changes } : null
  if (changes.length > 0) throw new CliError(EXIT.usage, 'Give either a FILE or --add, --set and --rm')
  const text = await readFileOrInput(session.terminal, file)
  const listed = changesIn(text)
  return listed ? { changes: listed } : { zonefile: text }
}

async function changesOf(
  client: Zonekeeper,
  domain: { id: string; name: string },
  { add = [], set = [], rm = [], ttl }: ChangeOptions,
): Promise<RequestedChange[]> {
  const withTtl = ttl === undefined ? {} : { ttl }
  const changes: RequestedChange[] = add
    .map((line) => ({ ...recordIn(line), ...withTtl }))
    .map((record) => ({ action: 'create', ...record }))
  const sets = Map.groupBy(set.map(recordIn), ({ name, recordType }) => `${name.toLowerCase()} ${recordType}`)
  for (const records of sets.values()) {
    const values = records.map(({ value }) => value)
    for (const { name, recordType } of records.slice(0, 1)) {
      changes.push(changeToSet(recordType, name, values, withTtl))
    }
  }
  for (const line of rm) {
    const [name = '', type, value] = wordsOf(line)
    const there = await readRrset(client, domain, name, type?.toUpperCase())
    const deleted = there.filter((record) => value === undefined || record.value === value)
    if (deleted.length === 0) throw new CliError(EXIT.notFound, `No record matches "${line}"`)
    changes.push(...deleted.map(({ id, version }) => ({ action: 'delete' as const, recordId: id, version })))
  }
  return changes
}

/** Splits into name, type and the rest. */
const wordsOf = (line: string) => /^\s*(\S+)(?:\s+(\S+))?(?:\s+(.*))?$/.exec(line)?.slice(1) ?? []

function recordIn(line: string) {
  const [name, type, value] = wordsOf(line)
  if (name === undefined || type === undefined || value === undefined)
    throw new CliError(EXIT.usage, `"${line}" is not "NAME TYPE VALUE"`)
  return { name, recordType: type.toUpperCase(), value }
}

/** Returns the changes of a JSON text in the API's form; null if the text is not JSON. */
function changesIn(text: string): RequestedChange[] | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const parsed = JSON.parse(text) as RequestedChange[] | { changes: RequestedChange[] }
    return Array.isArray(parsed) ? parsed : parsed.changes
  } catch (error) {
    throw new CliError(EXIT.usage, `The file is not valid JSON: ${(error as Error).message}`)
  }
}
