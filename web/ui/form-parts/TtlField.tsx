import { readTtl } from '../../zone/ttl.ts'
import { TextField, type FieldFrame } from '../fields/Field.tsx'
import { useMessages } from '../language.tsx'

interface TtlProps extends FieldFrame {
  /** As typed. */
  value: string
  onChange: (text: string) => void
  name?: string
}

/** A duration: `300`, `5m`, `1h 30m`; parse it with `readTtl`. */
export function TtlField(props: TtlProps) {
  const m = useMessages('domainSettings')
  return (
    <TextField
      {...props}
      autoComplete="off"
      validate={(text) => (readTtl(text) === null ? m.domainSettings.general.wrongTime : null)}
    />
  )
}
