import { Fragment, useState, type ReactNode } from 'react'
import { fieldWords } from '../../messages/fields.ts'
import { Checkbox, Select, Switch } from '../fields/Choice.tsx'
import { TextField } from '../fields/Field.tsx'
import { useLanguage, useMessages } from '../language.tsx'
import { Marked } from '../page/Marked.tsx'
import { readLines, type SchemaField, type SchemaValues } from './schema-fields.ts'
import { TagsField } from '../fields/TagsField.tsx'
import styles from '../fields/Field.module.css'

/** Longest example that fits into a field on a phone. */
const SHORT = 30
/** Length from which a field is a text area. */
const LONG = 8000

interface FieldsProps {
  fields: readonly SchemaField[]
  /** Key of the provider or kind of channel. */
  owner: string
  /** Prefix of field names: `config`. */
  prefix: string
  values: SchemaValues
  onChange: (values: SchemaValues) => void
  /** Stored secrets, masked. */
  stored: SchemaValues | null
  /** Secrets to remove, if that is possible. */
  forgotten?: ReadonlySet<string>
  onForget?: (forgotten: ReadonlySet<string>) => void
}

/** Configuration fields drawn from a schema. Secrets are never filled in; empty keeps them. */
export function SchemaFields(props: FieldsProps) {
  const { fields, owner, prefix, values, onChange, stored, forgotten = new Set(), onForget } = props
  const m = useMessages('serviceFields')
  const words = m.serviceFields
  return fields.map((field) => {
    const { name, writeOnly, isRequired } = field
    const own = fieldWords(words.table, owner, field)
    const title = own.title ?? field.title
    const isStored = writeOnly === true && stored?.[name] !== undefined
    return (
      <Fragment key={name}>
        <OneField
          field={{ ...field, title }}
          name={`${prefix}.${name}`}
          help={
            <>
              <FieldHelp own={own.help} {...field} />
              {isStored ? (
                <strong className={styles['line']}>{words.keeps}</strong>
              ) : (
                <LongExample {...field} />
              )}
            </>
          }
          value={values[name]}
          onChange={(value) => onChange({ ...values, [name]: value })}
          isStored={isStored}
        />
        {onForget && isStored && !isRequired && (values[name] ?? '') === '' && (
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

function FieldHelp({ own, description }: { own: string | null; description?: string }) {
  const language = useLanguage()
  if (own !== null || description === undefined) return own
  const marked = <Marked text={description} />
  return language === 'en' ? marked : <span lang="en">{marked}</span>
}

/** Example too long for its field. */
function LongExample({ type, maxLength = 0, examples }: SchemaField) {
  const words = useMessages('serviceFields').serviceFields
  const [example] = examples ?? []
  if (type !== 'string' || typeof example !== 'string' || maxLength > LONG) return null
  if (example.length <= SHORT) return null
  return (
    <span className={styles['line']}>
      <Marked text={words.example(example)} />
    </span>
  )
}

interface OneProps {
  field: SchemaField
  name: string
  help: ReactNode
  value: unknown
  onChange: (value: unknown) => void
  isStored: boolean
}

function OneField({ field, name, help, value, onChange, isStored }: OneProps) {
  const m = useMessages('serviceFields')
  const { title, type, writeOnly, isRequired, examples, maxLength = 0 } = field
  const common = { label: title, name, help, ...(!isRequired && { optional: true }) }
  if (type === 'boolean')
    return (
      <Switch isSelected={value === true} onChange={onChange}>
        {title}
      </Switch>
    )
  if (field.enum) {
    const none = isRequired || field.default !== undefined ? [] : [{ id: '', text: m.common.none }]
    return (
      <Select
        {...common}
        value={typeof value === 'string' ? value : ''}
        onChange={onChange}
        options={[
          ...none,
          ...field.enum.map((one) => ({ id: one, text: m.serviceFields.choices[one] ?? one })),
        ]}
      />
    )
  }
  if (type === 'array')
    return (
      <TagsField
        {...common}
        optional={!isRequired}
        help={
          <>
            {help} <span className={styles['line']}>{m.common.addsOne}</span>
          </>
        }
        values={Array.isArray(value) ? value.map(String) : []}
        onChange={onChange}
      />
    )
  if (type === 'object') return <LinesField {...common} onChange={onChange} />
  const [example] = examples ?? []
  const isLong = maxLength > LONG
  const isAddress = field.format === 'uri' || /url$/i.test(field.name)
  return (
    <TextField
      {...common}
      mono
      value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
      onChange={(text) => onChange(type === 'integer' && /^\d+$/.test(text) ? Number(text) : text)}
      autoComplete={writeOnly ? 'new-password' : 'off'}
      {...(isStored && { isRequired: false })}
      {...(isLong ? { rows: 5 } : writeOnly && !isAddress ? { type: 'password' } : {})}
      {...(isAddress && !isLong && { type: 'url', inputMode: 'url' })}
      {...((typeof example === 'string' || typeof example === 'number') &&
        (isLong || String(example).length <= SHORT) && { placeholder: String(example) })}
    />
  )
}

interface LinesProps {
  label: string
  name: string
  help: ReactNode
  onChange: (value: unknown) => void
}

/** Name-value pairs, one per line. */
function LinesField({ label, name, help, onChange }: LinesProps) {
  const m = useMessages('serviceFields')
  const [text, setText] = useState('')
  const isWrong = readLines(text) === null
  return (
    <TextField
      optional
      label={label}
      name={name}
      help={
        <>
          {isWrong ? m.serviceFields.headersWrong : m.serviceFields.headersHelp}
          {m.common.gap}
          {help}
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
