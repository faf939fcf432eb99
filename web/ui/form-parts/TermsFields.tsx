import type { Schemas } from '../../api/schema.d.ts'
import { RadioGroup } from '../fields/Choice.tsx'
import { DateField } from '../fields/DateField.tsx'
import { useMessages } from '../language.tsx'
import { TagsField } from '../fields/TagsField.tsx'

/** What rights allow, and until when. */
export interface Terms {
  permission: Schemas['AssignmentPermission']
  recordTypes: readonly string[] | null
  expiresAt: string | null
}

/** As the service takes it: none of a type are all of them, and of what is only seen there are no types. */
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
  /** What was asked for: more can't be given. */
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
