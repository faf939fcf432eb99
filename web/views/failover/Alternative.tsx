import type { Schemas } from '../../api/schema.d.ts'
import { Badge, type Tone } from '../../ui/feedback/Note.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'
import { Sparkline } from './Sparkline.tsx'
import styles from './Failover.module.css'

const TONES: Record<Schemas['FailoverHealth'], Tone> = {
  up: 'good',
  answering: 'warn',
  down: 'bad',
  undecided: 'plain',
}

interface AlternativeProps {
  alternative: Schemas['FailoverAlternative']
  /** Asks for a switch to it; null: it is served, or the user may not. */
  onSwitch: (() => void) | null
}

/** One alternative of a monitor: its values, health and latency. */
export function Alternative({ alternative, onSwitch }: AlternativeProps) {
  const m = useMessages('failover')
  const words = m.failover
  const { number, day } = useFormats()
  const { name, values, isActive, health, latencyMs, detail, certificateExpiresAt } = alternative
  const { instancesUp, instancesDown } = alternative
  return (
    <li className={styles['alternative']}>
      <Bar>
        <strong>{visible(name)}</strong>
        <Badge tone={TONES[health]}>{words.health[health]}</Badge>
        {isActive && <Badge tone="info">{words.served}</Badge>}
      </Bar>
      <span className="mono">{visible(values.join(', '))}</span>
      <Sparkline {...alternative} />
      <span className="muted">
        {m.common.phrases([
          words.said(instancesUp, instancesDown),
          ...(latencyMs === null ? [] : [words.latency(number(latencyMs))]),
          ...(certificateExpiresAt === null ? [] : [words.certificate(day(certificateExpiresAt))]),
        ])}
      </span>
      {detail !== null && <span lang="en">{visible(detail)}</span>}
      {onSwitch && <Button onPress={onSwitch}>{words.switchTo(visible(name))}</Button>}
    </li>
  )
}
