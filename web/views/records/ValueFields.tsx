import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { joinValue, shapeOf, splitValue } from '../../dns/presentation.ts'
import { Button } from '../../ui/Button.tsx'
import { ComboBox } from '../../ui/Choice.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Fields } from '../../ui/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Bar } from '../../ui/Page.tsx'

interface ValueProps {
  info: Schemas['RecordTypeInfo'] | undefined
  value: string
  onChange: (value: string) => void
}

const MAX_TXT = 2048

/** The value of a record, field by field where its type is that simple, else as one text with an example. */
export function ValueFields({ info, value, onChange }: ValueProps) {
  const m = useMessages('records')
  const shape = info && info.type !== 'TXT' ? shapeOf(info.fields, info.example) : null
  const texts =
    shape && info ? (value === '' ? info.fields.map(() => '') : splitValue(value, info.fields.length)) : null
  const [asText, setAsText] = useState(false)
  if (info?.type === 'TXT') return <TxtField value={value} onChange={onChange} />
  const isByFields = shape !== null && texts !== null && !asText
  return (
    <>
      {isByFields && info ? (
        <ByFields info={info} texts={texts} onChange={(next) => onChange(joinValue(next, shape))} />
      ) : (
        <TextField
          label={m.records.value}
          name="value"
          mono
          autoComplete="off"
          value={value}
          onChange={onChange}
        />
      )}
      <Bar>
        {info && value === '' && (
          <Button look="link" onPress={() => onChange(info.example)}>
            {m.records.panel.takeExample}: {info.example.slice(0, 60)}
          </Button>
        )}
        {shape && texts && (info?.fields.length ?? 0) > 1 && (
          <Button look="link" onPress={() => setAsText(!asText)}>
            {asText ? m.records.panel.asFields : m.records.panel.asValue}
          </Button>
        )}
      </Bar>
    </>
  )
}

interface ByFieldsProps {
  info: Schemas['RecordTypeInfo']
  texts: readonly string[]
  onChange: (texts: string[]) => void
}

/** Words of a value are never empty while it is typed field by field: a field without text is kept here until it has some. */
function ByFields({ info, texts, onChange }: ByFieldsProps) {
  const [own, setOwn] = useState(texts)
  const change = (at: number) => (text: string) => {
    const next = own.map((one, index) => (index === at ? text : one))
    setOwn(next)
    onChange(next.every((one) => one.trim() === '') ? next.map(() => '') : next)
  }
  return (
    <Fields>
      {info.fields.map(({ name, title, help, example, choices }, at) =>
        choices ? (
          <ComboBox
            key={name}
            label={title}
            {...(help !== undefined && { help })}
            placeholder={String(example)}
            value={own[at] ?? ''}
            onChange={change(at)}
            options={choices.map(({ value, title: words }) => ({
              id: String(value),
              text: String(value),
              note: words,
            }))}
          />
        ) : (
          <TextField
            key={name}
            label={title}
            {...(help !== undefined && { help })}
            placeholder={String(example)}
            mono
            autoComplete="off"
            value={own[at] ?? ''}
            onChange={change(at)}
          />
        ),
      )}
    </Fields>
  )
}

/** Text without its quotes, with its length; a text that is pasted with quotes loses them. */
function TxtField({ value, onChange }: Omit<ValueProps, 'info'>) {
  const m = useMessages('records')
  const { number } = useFormats()
  const [wasQuoted, setQuoted] = useState(false)
  function take(text: string) {
    const inQuotes = /^\s*"((?:\\.|[^"\\])*)"\s*$/.exec(text)
    if (inQuotes) setQuoted(true)
    onChange(inQuotes ? (inQuotes[1] ?? '').replaceAll(/\\(["\\])/g, '$1') : text)
  }
  return (
    <TextField
      label={m.records.value}
      name="value"
      rows={4}
      mono
      isInvalid={value.length > MAX_TXT}
      help={wasQuoted ? m.records.panel.quotesRemoved : m.records.panel.length(number(value.length))}
      value={value}
      onChange={take}
    />
  )
}
