import { Fragment } from 'react'
import { Checkbox, Select } from '../../ui/Choice.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useMessages } from '../../ui/language.tsx'
import type { CredentialField } from './schema.ts'

/** From that length on it is a file's content, which is pasted and has lines. */
const LONG = 8000

interface FieldsProps {
  fields: readonly CredentialField[]
  values: Readonly<Record<string, string>>
  onChange: (values: Record<string, string>) => void
  /** Masked: which secrets are stored. */
  stored: Readonly<Record<string, string>> | null
  /** Secrets that are to be removed. */
  forgotten: ReadonlySet<string>
  onForget: (forgotten: Set<string>) => void
}

/** The fields of credentials, drawn from what the catalogue says of them. Secrets are never filled; empty keeps them. */
export function CredentialFields({ fields, values, onChange, stored, forgotten, onForget }: FieldsProps) {
  const m = useMessages('providers')
  const words = m.providers.form
  if (fields.length === 0) return <p>{words.noCredentials}</p>
  return fields.map((field) => {
    const { name, title, description, writeOnly, isRequired, examples } = field
    const isStored = writeOnly === true && stored?.[name] !== undefined
    const value = values[name] ?? ''
    const change = (text: string) => onChange({ ...values, [name]: text })
    const help = (
      <>
        {description !== undefined && <span lang="en">{description}</span>}{' '}
        {isStored && <strong>{words.keeps}</strong>}
      </>
    )
    const common = { label: title, name: `credentials.${name}`, ...(!isRequired && { optional: true }) }
    if (field.enum)
      return (
        <Select
          key={name}
          {...common}
          value={value}
          onChange={change}
          help={help}
          options={field.enum.map((one) => ({ id: one, text: one }))}
        />
      )
    const isLong = (field.maxLength ?? 0) > LONG
    return (
      <Fragment key={name}>
        <TextField
          {...common}
          value={value}
          onChange={change}
          help={help}
          mono
          autoComplete={writeOnly ? 'new-password' : 'off'}
          {...(isStored && { isRequired: false })}
          {...(isLong ? { rows: 5 } : writeOnly ? { type: 'password' } : {})}
          {...(field.format === 'uri' && { type: 'url', inputMode: 'url' })}
          {...(examples?.[0] !== undefined && { placeholder: examples[0] })}
        />
        {isStored && !isRequired && value === '' && (
          <Checkbox
            isSelected={forgotten.has(name)}
            onChange={(isForgotten) =>
              onForget(new Set([...forgotten].filter((one) => one !== name).concat(isForgotten ? name : [])))
            }
          >
            {words.forget(title)}
          </Checkbox>
        )}
      </Fragment>
    )
  })
}
