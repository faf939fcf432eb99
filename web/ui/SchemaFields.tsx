import { useState, type ReactNode } from 'react'
import { Select, Switch } from './Choice.tsx'
import { TextField } from './Field.tsx'
import { useMessages } from './language.tsx'
import { readLines, type SchemaField, type SchemaValues } from './schema-fields.ts'
import { TagsField } from './TagsField.tsx'

/** From that length on it has lines. */
const LONG = 4000

interface FieldsProps {
  fields: readonly SchemaField[]
  /** Before the names of the fields: `config`. */
  prefix: string
  values: SchemaValues
  onChange: (values: SchemaValues) => void
  /** Masked: which secrets are stored. */
  stored: SchemaValues | null
}

/** The fields of a configuration, drawn from its schema. Secrets are never filled; empty keeps them. */
export function SchemaFields({ fields, prefix, values, onChange, stored }: FieldsProps) {
  return fields.map((field) => (
    <OneField
      key={field.name}
      field={field}
      name={`${prefix}.${field.name}`}
      value={values[field.name]}
      onChange={(value) => onChange({ ...values, [field.name]: value })}
      isStored={field.writeOnly === true && stored?.[field.name] !== undefined}
    />
  ))
}

interface OneProps {
  field: SchemaField
  name: string
  value: unknown
  onChange: (value: unknown) => void
  isStored: boolean
}

function OneField({ field, name, value, onChange, isStored }: OneProps) {
  const m = useMessages('channels')
  const { title, description, type, writeOnly, isRequired, examples, maxLength = 0 } = field
  const help = (
    <>
      {description !== undefined && <span lang="en">{description}</span>}{' '}
      {isStored && <strong>{m.channels.form.keeps}</strong>}
    </>
  )
  const common = { label: title, name, help, ...(!isRequired && { optional: true }) }
  if (type === 'boolean')
    return (
      <Switch isSelected={value === true} onChange={onChange}>
        {title}
      </Switch>
    )
  if (field.enum) {
    const none = isRequired ? [] : [{ id: '', text: m.common.none }]
    return (
      <Select
        {...common}
        value={typeof value === 'string' ? value : ''}
        onChange={onChange}
        options={[...none, ...field.enum.map((one) => ({ id: one, text: m.channels.choices[one] ?? one }))]}
      />
    )
  }
  if (type === 'array')
    return (
      <TagsField {...common} values={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
    )
  if (type === 'object') return <LinesField {...common} onChange={onChange} />
  const [example] = examples ?? []
  return (
    <TextField
      {...common}
      mono
      value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
      onChange={(text) => onChange(type === 'integer' && /^\d+$/.test(text) ? Number(text) : text)}
      autoComplete={writeOnly ? 'new-password' : 'off'}
      {...(isStored && { isRequired: false })}
      {...(maxLength > LONG
        ? { rows: 5 }
        : writeOnly && !/url$/i.test(field.name)
          ? { type: 'password' }
          : {})}
      {...((typeof example === 'string' || typeof example === 'number') && { placeholder: String(example) })}
    />
  )
}

interface LinesProps {
  label: string
  name: string
  help: ReactNode
  onChange: (value: unknown) => void
}

/** Names with values, a line each. */
function LinesField({ label, name, help, onChange }: LinesProps) {
  const m = useMessages('channels')
  const [text, setText] = useState('')
  const isWrong = readLines(text) === null
  return (
    <TextField
      optional
      label={label}
      name={name}
      help={
        <>
          {isWrong ? m.channels.form.headersWrong : m.channels.form.headersHelp} {help}
        </>
      }
      rows={3}
      mono
      isInvalid={isWrong}
      value={text}
      onChange={(typed) => {
        setText(typed)
        const read = readLines(typed)
        onChange(read && Object.keys(read).length > 0 ? read : undefined)
      }}
      autoComplete="off"
    />
  )
}
