import { faultOfTtl } from '../../../zone/faults.ts'
import { showTtl, takesTtl, type TtlLimits } from '../../../zone/ttl.ts'
import { ComboBox } from '../../../ui/fields/ComboBox.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { wordsOf } from './useFaultOf.ts'

interface TtlProps {
  value: string
  onChange: (text: string) => void
  /** Default of the domain. */
  usual: number
  limits: TtlLimits | undefined
}

const PRESETS = [60, 300, 900, 3600, 14_400, 86_400]

/** TTL with common choices and the provider's limits. */
export function TtlChoice({ value, onChange, usual, limits }: TtlProps) {
  const m = useMessages('recordPanel', 'records')
  const words = m.recordPanel
  const fault = faultOfTtl(value, limits)
  const presets = limits?.ttls?.length
    ? limits.ttls
    : PRESETS.filter((one) => !limits || takesTtl(one, limits))
  return (
    <ComboBox
      label={m.records.ttl}
      optional
      help={words.ttlHelp}
      error={fault && wordsOf(m.records, fault)}
      placeholder={showTtl(usual)}
      value={value}
      onChange={onChange}
      options={presets.map((one) => ({ id: String(one), text: showTtl(one) }))}
    />
  )
}
