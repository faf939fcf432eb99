import type { Schemas } from '../../../api/schema.d.ts'
import { faultOfValue } from '../../../zone/faults.ts'
import type { Around } from '../../../zone/hints.ts'
import { TextField } from '../../../ui/fields/Field.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { wordsOf } from './useFaultOf.ts'
import { Hints } from './Hints.tsx'
import { useSaid } from './useSaid.ts'

interface LinesProps {
  info: Schemas['RecordTypeInfo'] | undefined
  name: string
  value: string
  onChange: (value: string) => void
  around: Around
  tried: number
}

/** Several addresses, one per line. */
export function ValueLines({ info, name, value, onChange, around, tried }: LinesProps) {
  const m = useMessages('recordPanel', 'records', 'zoneFiles')
  const recordType = info?.type ?? ''
  const { isSaid, onType } = useSaid(tried)
  const faults = value.split('\n').flatMap((line, at) => {
    const fault = line.trim() === '' ? null : faultOfValue({ recordType, value: line })
    return fault ? `${m.zoneFiles.paste.line(at + 1)} ${wordsOf(m.records, fault)}` : []
  })
  return (
    <>
      <TextField
        label={info?.fields[0]?.title ?? m.records.value}
        name="value"
        help={m.recordPanel.severalHelp}
        error={isSaid('value') ? (faults[0] ?? null) : null}
        rows={2}
        mono
        autoComplete="off"
        placeholder={info?.example ?? ''}
        value={value}
        onChange={(text) => {
          onType('value')
          onChange(text)
        }}
      />
      <Hints fields={{ name, recordType, value }} around={around} />
    </>
  )
}
