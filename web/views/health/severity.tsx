import type { Schemas } from '../../api/schema.d.ts'
import { useMessages } from '../../ui/language.tsx'
import { Badge, type Tone } from '../../ui/feedback/Note.tsx'

export const SEVERITIES = ['error', 'warning', 'info'] as const

const TONES: Record<Schemas['HealthSeverity'], Tone> = { error: 'bad', warning: 'warn', info: 'info' }

/** A severity in words. */
export function SeverityBadge({ severity }: { severity: Schemas['HealthSeverity'] }) {
  const m = useMessages('health')
  return <Badge tone={TONES[severity]}>{m.health.severity[severity]}</Badge>
}
