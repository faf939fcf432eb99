import { readTtl, showTtl } from '../../dns/ttl.ts'
import { ComboBox } from '../../ui/ComboBox.tsx'
import { useMessages } from '../../ui/language.tsx'

/** What a provider says about TTLs, in seconds. */
export interface TtlLimits {
  minTtl: number
  maxTtl: number
  /** It takes these alone. */
  ttls?: readonly number[]
}

interface TtlProps {
  value: string
  onChange: (text: string) => void
  /** The domain's, for an empty field. */
  usual: number
  limits: TtlLimits | undefined
}

const PRESETS = [60, 300, 900, 3600, 14_400, 86_400]

const isTaken = (ttl: number, { minTtl, maxTtl, ttls }: TtlLimits) =>
  ttls && ttls.length > 0 ? ttls.includes(ttl) : ttl >= minTtl && ttl <= maxTtl

/** A TTL as people write it, with usual ones; what the provider takes is said. */
export function TtlChoice({ value, onChange, usual, limits }: TtlProps) {
  const m = useMessages('records')
  const words = m.records.panel
  const ttl = readTtl(value)
  const isOut = limits !== undefined && ttl !== null && ttl > 0 && !isTaken(ttl, limits)
  const presets = limits?.ttls?.length
    ? limits.ttls
    : PRESETS.filter((one) => !limits || isTaken(one, limits))
  const help =
    ttl === null
      ? words.ttlWrong
      : isOut
        ? words.ttlOut(showTtl(limits.minTtl), showTtl(limits.maxTtl))
        : words.ttlHelp
  return (
    <ComboBox
      label={m.records.ttl}
      optional
      help={help}
      isInvalid={ttl === null || isOut}
      placeholder={showTtl(usual)}
      value={value}
      onChange={onChange}
      options={presets.map((one) => ({ id: String(one), text: showTtl(one) }))}
    />
  )
}
