import { printable } from '../printable.ts'
import type { Change, DnsRecord, Domain, Plan, RecordContent } from '../typescript/index.ts'

/** Maximum characters of a text result. */
export const MAX_TEXT = 40_000

/** Maximum characters of a value in a list. */
const MAX_VALUE = 500

/** Items shown for each change in the history. */
export const SHOWN_ITEMS = 20

/** Joins lines, and truncates the text with a note if it is too long. */
export function textOf(lines: string[]): string {
  const text = lines.join('\n')
  if (text.length <= MAX_TEXT) return text
  return `${text.slice(0, text.lastIndexOf('\n', MAX_TEXT))}\n(Truncated; ask for less at a time.)`
}

/** Truncates a text that is one of many. */
export const short = (text: string): string =>
  text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}… (${text.length} characters in total)`

/** Returns `www 300 A 192.0.2.10`, and the settings that are not the default. */
export function recordLine(record: RecordContent): string {
  const { name, ttl, recordType, value, routing, proxied, enabled, comment } = record
  return printable(
    [
      `${name} ${ttl ?? 'auto'} ${recordType} ${value}`,
      ...(routing ? [`[set ${routing.key}]`] : []),
      ...(proxied ? ['[proxied]'] : []),
      ...(enabled ? [] : ['[disabled]']),
      ...(comment ? [`[comment ${JSON.stringify(comment)}]`] : []),
    ].join(' '),
  )
}

/** Returns the line of a record in a list, with its id. */
export const listedLine = (record: DnsRecord): string =>
  [
    recordLine({ ...record, value: short(record.value) }),
    ...(record.status === 'active' ? [] : [`[${record.status}]`]),
    `(id ${record.id})`,
  ].join(' ')

type DomainLine = Pick<Domain, 'name' | 'id' | 'recordCount' | 'access' | 'status' | 'expiresAt'>

export function domainLine({ name, id, recordCount, access, status, expiresAt }: DomainLine): string {
  const until = expiresAt === null ? '' : `, expires ${expiresAt.slice(0, 10)} (${status})`
  return `${name}: ${recordCount} records, access ${access}${until} (id ${id})`
}

type Effect = Pick<Plan['updates'][number], 'before' | 'after'>

/** Returns the change of one record as a line of a diff. */
export function effectLine({ before, after }: Effect): string {
  if (before && after) return `~ ${recordLine(before)}  =>  ${recordLine(after)}`
  return before ? `- ${recordLine(before)}` : `+ ${recordLine(after as RecordContent)}`
}

export const summary = (domain: string, { creates, updates, deletes }: Plan): string =>
  `${domain}: ${creates.length} to create, ${updates.length} to update, ${deletes.length} to delete`

/** Returns a plan as a diff, followed by conflicts and warnings. */
export function planLines(domain: string, plan: Plan): string[] {
  const { creates, updates, deletes, conflicts, warnings } = plan
  return [
    summary(domain, plan),
    ...[...deletes, ...updates, ...creates].map(effectLine),
    ...conflicts.map(({ index, detail }) => `Refused, change ${index}: ${printable(detail)}`),
    ...warnings.map(({ message }) => `Warning: ${printable(message)}`),
  ]
}

export const changeLines = ({ id, createdAt, actor, source, status, items, itemCount }: Change): string[] => [
  `${createdAt} by ${printable(actor.name)} (${source}, ${status}), change ${id}`,
  ...items
    .slice(0, SHOWN_ITEMS)
    .map((item) => `  ${short(effectLine(item))}${item.outcome === 'applied' ? '' : ` [${item.outcome}]`}`),
  ...(itemCount > SHOWN_ITEMS ? [`  … and ${itemCount - SHOWN_ITEMS} more`] : []),
]
