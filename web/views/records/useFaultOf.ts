import { useCallback } from 'react'
import { faultOfName, faultOfTtl, faultOfValue, type Fault } from '../../zone/faults.ts'
import { readTtl, type TtlLimits } from '../../zone/ttl.ts'
import { useMessages } from '../../ui/language.tsx'
import { wordsOf } from './fault-words.ts'
import type { Row } from './model.ts'

type Written = 'name' | 'value' | 'ttl'
export type FaultOf = (row: Row, field: Written, text: string) => string | null

interface Place {
  zone: string
  limits: TtlLimits | undefined
}

/** What is stored is never wrong: it can be given back. */
function faultIn({ record, now }: Row, field: Written, text: string, { zone, limits }: Place): Fault | null {
  const { recordType } = now
  if (field === 'name') return text.trim() === record?.name ? null : faultOfName(text, zone)
  if (field === 'ttl') return record && readTtl(text) === record.ttl ? null : faultOfTtl(text, limits)
  const isOfType = record?.recordType === recordType
  return isOfType && text.trim() === record.value ? null : faultOfValue({ recordType, value: text }, isOfType)
}

/**
 * What is wrong in form with what is typed into a cell, as the form of the type says it; null: nothing is known against it.
 * The same function at each step.
 */
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
