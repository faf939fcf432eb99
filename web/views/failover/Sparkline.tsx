import type { Schemas } from '../../api/schema.d.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Failover.module.css'

const WIDTH = 240
const HEIGHT = 40
/** A failed check is as high as the slowest one. */
const FAILED = 1

/** The latency of the latest checks, oldest first; failed ones have another color and are counted in the label. */
export function Sparkline({ name, history }: Pick<Schemas['FailoverAlternative'], 'name' | 'history'>) {
  const m = useMessages('failover')
  const words = m.failover
  const { number } = useFormats()
  if (history.length === 0) return null
  const slowest = Math.max(1, ...history.map(({ latencyMs }) => latencyMs ?? 0))
  const step = WIDTH / history.length
  const last = history.at(-1)?.latencyMs ?? null
  const said = last === null ? words.chartNone : words.latency(number(last))
  const failed = history.filter(({ ok }) => !ok).length
  return (
    <svg
      role="img"
      aria-label={words.chart(visible(name), history.length, failed, said)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={styles['sparkline']}
    >
      {history.map(({ at, ok, latencyMs }, nth) => {
        const height = Math.max(2, (ok ? (latencyMs ?? 0) / slowest : FAILED) * HEIGHT)
        return (
          <rect
            key={at}
            x={nth * step + step * 0.1}
            y={HEIGHT - height}
            width={step * 0.8}
            height={height}
            className={styles[ok ? 'passed' : 'failed']}
          />
        )
      })}
    </svg>
  )
}
