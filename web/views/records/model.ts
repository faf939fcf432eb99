import type { Schemas } from '../../api/schema.d.ts'

export type DnsRecord = Schemas['DnsRecord']

/** Editable fields of a record. */
export interface Fields {
  name: string
  recordType: string
  value: string
  ttl: number | null
  proxied: boolean
  enabled: boolean
  comment: string
}

/** Result of an edit that was applied without success. */
export interface Tried {
  /** `pending`: outcome unknown; the service reconciles it. */
  state: 'failed' | 'pending'
  changeId: string
  /** Id of the record, also of one to be created. */
  recordId: string
  /** Message of the provider. */
  reason: string | null
}

/** An unapplied edit. */
export type Edit = (
  | { kind: 'create'; fields: Fields }
  /** `version`: that of the edited record. */
  | { kind: 'update'; version: number; fields: Partial<Fields> }
  | { kind: 'delete'; version: number }
) & { tried?: Tried }

/** A plan, with the edits that its indexes refer to. */
export interface Planned {
  edits: [string, Edit][]
  plan: Schemas['Plan']
}

/** A row of the grid: a record with its staged edit, or a new record. */
export interface EditorRow {
  id: string
  record: DnsRecord | null
  edit: Edit | undefined
  now: Fields
  /** Applied a moment ago. */
  isApplied?: boolean
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

const known = new WeakMap<DnsRecord, EditorRow>()

/** Row of a record and its edit; the same object while both are the same, to avoid rendering. */
export function rowOf(record: DnsRecord, edit: Edit | undefined, isApplied: boolean): EditorRow {
  const before = known.get(record)
  if (before && before.edit === edit && before.isApplied === isApplied) return before
  const now = edit?.kind === 'update' ? { ...fieldsOf(record), ...edit.fields } : fieldsOf(record)
  const row = { id: record.id, record, edit, now, isApplied }
  known.set(record, row)
  return row
}

export function statesOf({ record, edit, now, isApplied }: EditorRow): string[] {
  const staged = { create: 'new', update: 'changed', delete: 'deleted' } as const
  return [
    ...(edit ? [staged[edit.kind]] : isApplied ? ['applied'] : []),
    ...(edit?.tried ? [edit.tried.state] : record && record.status !== 'active' ? [record.status] : []),
    ...(now.enabled ? [] : ['disabled']),
    ...(now.proxied ? ['proxied'] : []),
  ]
}
