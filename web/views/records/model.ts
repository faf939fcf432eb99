import type { Schemas } from '../../api/schema.d.ts'

export type DnsRecord = Schemas['DnsRecord']

/** What may be edited of a record. */
export interface Fields {
  name: string
  recordType: string
  value: string
  ttl: number | null
  proxied: boolean
  enabled: boolean
  comment: string
}

/** What is not sent yet. */
export type Edit =
  | { kind: 'create'; fields: Fields }
  /** `version`: of the record that it was made on. */
  | { kind: 'update'; version: number; fields: Partial<Fields> }
  | { kind: 'delete'; version: number }

/** A line of the grid: a record with what is staged of it, or one that is to be created. */
export interface Row {
  id: string
  record: DnsRecord | null
  edit: Edit | undefined
  now: Fields
}

export const fieldsOf = ({ name, recordType, value, ttl, proxied, enabled, comment }: DnsRecord): Fields => ({
  name,
  recordType,
  value,
  ttl,
  proxied,
  enabled,
  comment,
})

/** A record as it will be. */
export function rowOf(record: DnsRecord, edit: Edit | undefined): Row {
  const now = edit?.kind === 'update' ? { ...fieldsOf(record), ...edit.fields } : fieldsOf(record)
  return { id: record.id, record, edit, now }
}

export function statesOf({ record, edit, now }: Row): string[] {
  const staged = { create: 'new', update: 'changed', delete: 'deleted' } as const
  return [
    ...(edit ? [staged[edit.kind]] : []),
    ...(record && record.status !== 'active' ? [record.status] : []),
    ...(now.enabled ? [] : ['disabled']),
    ...(now.proxied ? ['proxied'] : []),
  ]
}
