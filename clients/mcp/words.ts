import { printable } from '../printable.ts'
import type { Change, DnsRecord, Domain, Plan, RecordContent } from '../typescript/index.ts'

/** Characters of one text answer. */
export const MAX_TEXT = 40_000

/** Characters of a value in a list. */
const MAX_VALUE = 500

/** Items of one change in the history that are shown. */
export const SHOWN_ITEMS = 20

/** Lines as a text within the bound; what is left out is said. */
export function textOf(lines: string[]): string {
  const text = lines.join('\n')
  if (text.length <= MAX_TEXT) return text
  return `${text.slice(0, text.lastIndexOf('\n', MAX_TEXT))}\n(The rest is left out; ask for less at a time.)`
}

/** A text that is shown among many. */
export const short = (text: string): string =>
  text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}… (${text.length} characters in all)`

/** `www 300 A 192.0.2.10`, and what is unusual about it. */
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

/** The line of a record in a list, with its id. */
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

/** What happens to one record, as a line of a diff. */
export function effectLine({ before, after }: Effect): string {
  if (before && after) return `~ ${recordLine(before)}  =>  ${recordLine(after)}`
  return before ? `- ${recordLine(before)}` : `+ ${recordLine(after as RecordContent)}`
}

export const summary = (domain: string, { creates, updates, deletes }: Plan): string =>
  `${domain}: ${creates.length} to create, ${updates.length} to change, ${deletes.length} to delete`

/** A plan as a diff, then what stands against it and what to think of. */
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
