import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import type { Around } from '../../dns/hints.ts'
import { joinValue, shapeOf, splitValue } from '../../dns/presentation.ts'
import { Button } from '../../ui/Button.tsx'
import { ComboBox } from '../../ui/ComboBox.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Fields } from '../../ui/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Bar } from '../../ui/Page.tsx'
import { priorityOf, proposalsFor } from './types/proposals.ts'
import { TxtField } from './types/TxtField.tsx'

interface ValueProps {
  info: Schemas['RecordTypeInfo'] | undefined
  value: string
  onChange: (value: string) => void
  around: Around
  /** Several addresses, a line each, make several records. */
  several: boolean
}

/** The value of a record, field by field where its type is that simple, else as one text with an example. */
export function ValueFields({ info, value, onChange, around, several }: ValueProps) {
  const m = useMessages('records')
  const shape = info && info.type !== 'TXT' ? shapeOf(info.fields, info.example) : null
  const texts =
    shape && info ? (value === '' ? info.fields.map(() => '') : splitValue(value, info.fields.length)) : null
  // Once begun by fields it stays so, also while one of them has no text.
  const [asText, setAsText] = useState(texts === null)
  /** Fields begin anew with what was taken over. */
  const [taken, setTaken] = useState(0)
  if (info?.type === 'TXT') return <TxtField value={value} onChange={onChange} />
  const isByFields = shape !== null && !asText
  return (
    <>
      {several ? (
        <TextField
          label={info?.fields[0]?.title ?? m.records.value}
          name="value"
          help={m.records.panel.severalHelp}
          rows={2}
          mono
          autoComplete="off"
          placeholder={info?.example ?? ''}
          value={value}
          onChange={onChange}
        />
      ) : isByFields && info ? (
        <ByFields
          key={taken}
          info={info}
          texts={texts ?? []}
          around={around}
          onChange={(next) => onChange(joinValue(next, shape))}
        />
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
          <Button
            look="link"
            onPress={() => {
              onChange(info.example)
              setTaken(taken + 1)
            }}
          >
            {m.records.panel.takeExample}
            {m.common.colon}
            {info.example.slice(0, 60)}
          </Button>
        )}
        {shape && (texts || !asText) && (info?.fields.length ?? 0) > 1 && (
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
  around: Around
  onChange: (texts: string[]) => void
}

/** Words of a value are never empty while it is typed field by field: a field without text is kept here until it has some. */
function ByFields({ info, texts, around, onChange }: ByFieldsProps) {
  const [own, setOwn] = useState(texts)
  const take = (next: readonly string[]) => {
    setOwn(next)
    onChange(next.every((one) => one.trim() === '') ? next.map(() => '') : [...next])
  }
  const change = (at: number) => (text: string) => take(own.map((one, index) => (index === at ? text : one)))
  /** A server of a mail host brings its priority, where none is given yet. */
  const chooseHost = (at: number) => (host: string) => {
    const priority = priorityOf(host)
    if (info.type === 'MX' && priority !== null && own[0]?.trim() === '')
      take(own.map((one, index) => (index === at ? host : index === 0 ? String(priority) : one)))
  }
  return (
    <Fields>
      {info.fields.map((field, at) => {
        const { name, title, help, example, choices } = field
        const typed = own[at] ?? ''
        const proposals = choices
          ? choices.map(({ value, title: note }) => ({ id: String(value), text: String(value), note }))
          : proposalsFor(info.type, field, typed, around)
        const frame = { label: title, ...(help !== undefined && { help }), placeholder: String(example) }
        const offers = choices !== undefined || proposalsFor(info.type, field, '', around).length > 0
        return offers ? (
          <ComboBox
            key={name}
            {...frame}
            mono
            value={typed}
            onChange={change(at)}
            onChoose={chooseHost(at)}
            options={proposals}
          />
        ) : (
          <TextField key={name} {...frame} mono autoComplete="off" value={typed} onChange={change(at)} />
        )
      })}
    </Fields>
  )
}
