import type { Schemas } from '../../api/schema.d.ts'
import { RadioGroup } from '../fields/Choice.tsx'
import { DateField } from '../fields/dates/DateField.tsx'
import { useMessages } from '../language.tsx'
import { TagsField } from '../fields/TagsField.tsx'

/** Scope and expiry of a permission. */
export interface Terms {
  permission: Schemas['AssignmentPermission']
  recordTypes: readonly string[] | null
  expiresAt: string | null
}

/** Request body: no types means all, and a view permission has none. */
export const termsSent = ({ permission, recordTypes, expiresAt }: Terms) => ({
  permission,
  recordTypes: permission === 'write' && recordTypes && recordTypes.length > 0 ? [...recordTypes] : null,
  expiresAt,
})

const NONE: readonly string[] = []

interface TermsProps {
  terms: Terms
  onChange: (terms: Terms) => void
  types: readonly string[]
  /** The request, which limits what can be granted. */
  atMost?: Schemas['AssignmentPermission']
}

export function TermsFields({ terms, onChange, types, atMost = 'write' }: TermsProps) {
  const m = useMessages('access')
  const words = m.access.form
  const read = (text: string) => {
    const type = text.toUpperCase()
    return types.includes(type) || /^TYPE\d{1,5}$/.test(type) ? type : null
  }
  return (
    <>
      <RadioGroup
        label={words.permission}
        name="permission"
        value={terms.permission}
        onChange={(permission) => onChange({ ...terms, permission })}
        options={[
          { id: 'read', text: words.read },
          { id: 'write', text: words.write, isDisabled: atMost === 'read' },
        ]}
      />
      {terms.permission === 'write' && (
        <TagsField
          label={words.types}
          name="recordTypes"
          help={words.typesHelp}
          values={terms.recordTypes ?? NONE}
          onChange={(recordTypes) => onChange({ ...terms, recordTypes })}
          known={types}
          read={read}
        />
      )}
      <DateField
        optional
        withTime
        label={words.end}
        name="expiresAt"
        help={words.endHelp}
        value={terms.expiresAt}
        onChange={(expiresAt) => onChange({ ...terms, expiresAt })}
      />
    </>
  )
}
