import { useState } from 'react'
import type { Schemas } from '../../../api/schema.d.ts'
import { faultsOfFields, type Fault } from '../../../zone/faults.ts'
import type { Around } from '../../../zone/hints.ts'
import { joinValue, shapeOf, splitValue } from '../../../zone/presentation.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { ComboBox } from '../../../ui/fields/ComboBox.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { Fields } from '../../../ui/fields/Form.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Bar } from '../../../ui/page/Page.tsx'
import { wordsOf } from './useFaultOf.ts'
import { priorityOf, proposalsFor } from './proposals.ts'
import { TxtField } from './TxtField.tsx'
import { useSaid } from './useSaid.ts'

interface ValueProps {
  info: Schemas['RecordTypeInfo'] | undefined
  value: string
  onChange: (value: string) => void
  around: Around
  /** The only value, so there is more room. */
  isOnly: boolean
  /** In the first row, which shows the help. */
  isFirst: boolean
  /** Attempts to stage it. */
  tried: number
  fault: Fault | null
}

/** Value of a record: by field if the type is simple, else as text with an example. */
export function ValueFields({ info, value, onChange, around, isOnly, isFirst, tried, fault }: ValueProps) {
  const m = useMessages('recordPanel', 'records')
  const shape = info && info.type !== 'TXT' ? shapeOf(info.fields, info.example) : null
  const texts =
    shape && info ? (value === '' ? info.fields.map(() => '') : splitValue(value, info.fields.length)) : null
  // Editing by field continues while a field is empty.
  const [asText, setAsText] = useState(texts === null)
  /** Resets the fields after a value was taken over. */
  const [taken, setTaken] = useState(0)
  const { isSaid, onType } = useSaid(tried)
  const field = {
    error: fault && (fault.kind === 'too-long' || isSaid('value')) ? wordsOf(m.records, fault) : null,
    value,
    onChange: (text: string) => {
      onType('value')
      onChange(text)
    },
  }
  if (info?.type === 'TXT') return <TxtField {...field} />
  return (
    <>
      {shape !== null && !asText && info ? (
        <ByFields
          key={taken}
          info={info}
          texts={texts ?? []}
          around={around}
          isFirst={isFirst}
          tried={tried}
          fault={fault}
          onChange={(next) => onChange(next.every((one) => one.trim() === '') ? '' : joinValue(next, shape))}
        />
      ) : (
        <TextField label={m.records.value} name="value" mono autoComplete="off" {...field} />
      )}
      {isOnly && (
        <Bar>
          {info && value === '' && (
            <Button
              look="link"
              onPress={() => {
                onChange(info.example)
                setTaken(taken + 1)
              }}
            >
              {m.recordPanel.takeExample}
              {m.common.colon}
              {info.example.slice(0, 60)}
            </Button>
          )}
          {shape && (texts || !asText) && (info?.fields.length ?? 0) > 1 && (
            <Button look="link" onPress={() => setAsText(!asText)}>
              {asText ? m.recordPanel.asFields : m.recordPanel.asValue}
            </Button>
          )}
        </Bar>
      )}
    </>
  )
}

interface ByFieldsProps {
  info: Schemas['RecordTypeInfo']
  texts: readonly string[]
  around: Around
  isFirst: boolean
  tried: number
  /** Error of the whole value. */
  fault: Fault | null
  onChange: (texts: string[]) => void
}

/** A value can't contain empty words, so empty fields are kept here until they are filled. */
function ByFields({ info, texts, around, isFirst, tried, fault, onChange }: ByFieldsProps) {
  const m = useMessages('records')
  const [own, setOwn] = useState(texts)
  const { isSaid, onType } = useSaid(tried)
  const faults = fault ? faultsOfFields(info.type, own) : []
  // An error of no single field belongs to the first.
  const errorOf = (at: number) => {
    const one = faults[at] ?? (at === 0 && faults.every((other) => other === null) ? fault : null)
    return one && isSaid(at) ? wordsOf(m.records, one) : null
  }
  const take = (next: readonly string[]) => {
    setOwn(next)
    onChange([...next])
  }
  const change = (at: number) => (text: string) => {
    onType(at)
    take(own.map((one, index) => (index === at ? text : one)))
  }
  /** A known mail server fills in its priority if that is empty. */
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
        const frame = {
          label: title,
          ...(help !== undefined && isFirst && { help }),
          placeholder: String(example),
          error: errorOf(at),
        }
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
