import type { Schemas } from '../../api/schema.d.ts'

/** Rows have keys of their own, as they move when one is removed. */
export interface DraftRecord {
  key: number
  recordType: string
  name: string
  value: string
  ttl: string
}

export interface DraftVariable {
  key: number
  name: string
  label: string
  description: string
  default: string
  pattern: string
  required: boolean
}

export interface Draft {
  name: string
  description: string
  shared: boolean
  variables: readonly DraftVariable[]
  records: readonly DraftRecord[]
}

let keys = 0
const newKey = () => ++keys

export const emptyRecord = (): DraftRecord => ({
  key: newKey(),
  recordType: 'A',
  name: '@',
  value: '',
  ttl: '',
})

export const emptyVariable = (): DraftVariable => ({
  key: newKey(),
  name: '',
  label: '',
  description: '',
  default: '',
  pattern: '',
  required: false,
})

/** Initial values from a template; a copy is not shared by default. */
export function draftOf(base: Schemas['Template'] | null, isSame: boolean): Draft {
  if (!base) return { name: '', description: '', shared: false, variables: [], records: [emptyRecord()] }
  return {
    name: base.name,
    description: base.description,
    shared: isSame && base.shared,
    variables: base.variables.map((one) => ({ ...emptyVariable(), ...one })),
    records: base.records.map(({ ttl, ...one }) => ({
      ...emptyRecord(),
      ...one,
      ttl: ttl === undefined ? '' : String(ttl),
    })),
  }
}

/** Request body; empty values are omitted. */
export const bodyOf = ({ variables, records, ...rest }: Draft): Schemas['TemplateBody'] => ({
  ...rest,
  variables: variables.map(({ name, label, description, default: usual, pattern, required }) => ({
    name: name.trim(),
    label: label.trim() || name.trim(),
    required,
    ...(description !== '' && { description }),
    ...(usual !== '' && { default: usual }),
    ...(pattern !== '' && { pattern }),
  })),
  records: records.map(({ recordType, name, value, ttl }) => ({
    recordType,
    name: name.trim() || '@',
    value: value.trim(),
    ...(/^\d+$/.test(ttl.trim()) && { ttl: Number(ttl) }),
  })),
})

/** Names of all form fields. */
export const FIELDS_OF = ({ variables, records }: Draft): string[] => [
  'name',
  'description',
  ...variables.flatMap((_, at) =>
    ['name', 'label', 'default', 'pattern'].map((one) => `variables.${at}.${one}`),
  ),
  ...records.flatMap((_, at) => ['recordType', 'name', 'value', 'ttl'].map((one) => `records.${at}.${one}`)),
]
