import { useCallback } from 'react'
import { faultOfName, faultOfTtl, faultOfValue, type Fault } from '../../../zone/faults.ts'
import type { Messages } from '../../../messages/en.ts'
import { readTtl, showTtl, type TtlLimits } from '../../../zone/ttl.ts'
import { useMessages } from '../../../ui/language.tsx'
import type { EditorRow } from '../model.ts'

type Written = 'name' | 'value' | 'ttl'
export type FaultOf = (row: EditorRow, field: Written, text: string) => string | null

interface ZoneRules {
  zone: string
  limits: TtlLimits | undefined
}

/** Stored values are always accepted. */
function faultIn(
  { record, now }: EditorRow,
  field: Written,
  text: string,
  { zone, limits }: ZoneRules,
): Fault | null {
  const { recordType } = now
  if (field === 'name') return text.trim() === record?.name ? null : faultOfName(text, zone)
  if (field === 'ttl') return record && readTtl(text) === record.ttl ? null : faultOfTtl(text, limits)
  const isOfType = record?.recordType === recordType
  return isOfType && text.trim() === record.value ? null : faultOfValue({ recordType, value: text }, isOfType)
}

/** Returns a function that finds errors in a cell's text; null: none. The same function on every render. */
export function useFaultOf(zone: string, limits: TtlLimits | undefined): FaultOf {
  const { records: words } = useMessages('records')
  return useCallback(
    (row, field, text) => {
      const fault = faultIn(row, field, text, { zone, limits })
      return fault && wordsOf(words, fault)
    },
    [words, zone, limits],
  )
}

/** An error in the user's language. */
export function wordsOf({ faults }: Messages['records'], fault: Fault): string {
  switch (fault.kind) {
    case 'ttl':
      return faults.ttlWrong
    case 'ttl-out':
      return faults.ttlOut(showTtl(fault.limits.minTtl), showTtl(fault.limits.maxTtl))
    case 'range':
      return faults.range(fault.maximum)
    case 'form':
      return faults.form(fault.form)
    default:
      return faults[fault.kind]
  }
}
