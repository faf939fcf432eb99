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

/** What became of an edit that was applied and is not done. */
export interface Tried {
  /** `pending`: nobody knows yet whether it was done; the service finds it out. */
  state: 'failed' | 'pending'
  changeId: string
  /** Of the record, also of one that was to be created. */
  recordId: string
  /** What the provider said. */
  reason: string | null
}

/** What is not done yet. */
export type Edit = (
  | { kind: 'create'; fields: Fields }
  /** `version`: of the record that it was made on. */
  | { kind: 'update'; version: number; fields: Partial<Fields> }
  | { kind: 'delete'; version: number }
) & { tried?: Tried }

/** A plan of the service, with the edits that its indexes stand for. */
export interface Planned {
  edits: [string, Edit][]
  plan: Schemas['Plan']
}

/** A line of the grid: a record with what is staged of it, or one that is to be created. */
export interface EditorRow {
  id: string
  record: DnsRecord | null
  edit: Edit | undefined
  now: Fields
  /** It has become so just now. */
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

/** A record as it will be: the same row as long as both are the same, so that it is not drawn again. */
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
