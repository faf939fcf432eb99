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
  /** There is no other, so there is room for more. */
  isOnly: boolean
  /** It stands in the first row, which has the help. */
  isFirst: boolean
  /** How often it was tried to stage it. */
  tried: number
  fault: Fault | null
}

/** The value of a record, field by field where its type is that simple, else as one text with an example. */
export function ValueFields({ info, value, onChange, around, isOnly, isFirst, tried, fault }: ValueProps) {
  const m = useMessages('records')
  const shape = info && info.type !== 'TXT' ? shapeOf(info.fields, info.example) : null
  const texts =
    shape && info ? (value === '' ? info.fields.map(() => '') : splitValue(value, info.fields.length)) : null
  // Once begun by fields it stays so, also while one of them has no text.
  const [asText, setAsText] = useState(texts === null)
  /** Fields begin anew with what was taken over. */
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
  /** Of the whole. */
  fault: Fault | null
  onChange: (texts: string[]) => void
}

/** Words of a value are never empty while it is typed field by field: a field without text is kept here until it has some. */
function ByFields({ info, texts, around, isFirst, tried, fault, onChange }: ByFieldsProps) {
  const m = useMessages('records')
  const [own, setOwn] = useState(texts)
  const { isSaid, onType } = useSaid(tried)
  const faults = fault ? faultsOfFields(info.type, own) : []
  // What is wrong with none of them is wrong with all.
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
