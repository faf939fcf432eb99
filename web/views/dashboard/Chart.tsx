import { useNavigate } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { cx } from '../../ui/classes.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { DomainsOfBar } from './DomainsOfBar.tsx'
import { useLooked } from './useLooked.ts'
import { barsOf, STATUSES, sum, WEEK_MS, type Bar, type Week } from './weeks.ts'
import styles from './Dashboard.module.css'

const WIDTH = 720
const HEIGHT = 140
/** Number of weeks labeled below the bars. */
const TICK_WEEKS = 9
const DAYS_OF_WEEK = 7

interface Expiries {
  weeks: readonly Week[]
  overdue: number
  leadDays: number
}

const searchOf = ({ from, to }: Bar) => ({
  ...(from !== null && { expiresAfter: from }),
  expiresBefore: to,
  sort: 'expiresAt' as const,
})

/**
 * One bar a week, overdue ones on the left, with marks for today and the reach of reminders. The bars are one tab stop;
 * arrow keys move between them. The domains of a bar appear next to it: Tab enters, Escape leaves, Enter opens the list.
 */
export function Chart({ weeks, overdue, leadDays }: Expiries) {
  const m = useMessages('dashboard')
  const { day } = useFormats()
  const navigate = useNavigate()
  const bars = barsOf(weeks, overdue)
  const [now] = useState(() => Date.now())
  const [reached, setReached] = useState(0)
  const { looked, anchor, content, look, leave, stay, close, onBlur } = useLooked()
  const most = Math.max(1, ...bars.map(sum))
  // A gap separates overdue domains, which may be of any age.
  const gap = overdue > 0 ? 1 : 0
  const step = WIDTH / (bars.length + gap)
  const leftOf = (at: number) => (at + (at > 0 ? gap : 0)) * step
  const firstLeft = leftOf(bars.length - weeks.length)
  const today = firstLeft + ((now - Date.parse(weeks[0]?.week ?? '')) / WEEK_MS) * step
  const lead = Math.min((leadDays / DAYS_OF_WEEK) * step, WIDTH - today)

  const show = (bar: Bar) => void navigate({ to: '/domains', search: searchOf(bar) })
  const lookAt = (bar: Bar, at: SVGGElement) => look(sum(bar) > 0 ? bar : null, at)
  const labelOf = (bar: Bar) =>
    bar.from === null ? m.dashboard.overdue(sum(bar)) : m.dashboard.inWeek(day(bar.week), sum(bar))

  function onKey(event: KeyboardEvent<SVGElement>, at: number) {
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (move !== 0) {
      const next = Math.max(0, Math.min(bars.length - 1, at + move))
      setReached(next)
      event.currentTarget.parentElement?.querySelectorAll<SVGElement>('[data-bar]')[next]?.focus()
    } else if (event.key === 'Enter') show(bars[at] as Bar)
    else if (event.key === 'ArrowDown' || (event.key === 'Tab' && !event.shiftKey)) {
      const link = content.current?.querySelector('a')
      if (!link) return
      link.focus()
    } else return
    event.preventDefault()
  }
  return (
    <>
      <svg
        className={styles['chart']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={m.dashboard.expiries}
        onPointerLeave={leave}
      >
        <rect className={styles['lead']} x={today} y={0} width={Math.max(0, lead)} height={HEIGHT} />
        <line className={styles['today']} x1={today} x2={today} y1={0} y2={HEIGHT} />
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className={styles['axis']} />
        {bars.map((bar, at) => {
          let top = HEIGHT
          return (
            <g
              key={bar.from ?? 'before'}
              data-bar
              className={styles['bar']}
              role="link"
              tabIndex={at === reached ? 0 : -1}
              aria-label={labelOf(bar)}
              onKeyDown={(event) => onKey(event, at)}
              onFocus={({ currentTarget }) => {
                setReached(at)
                lookAt(bar, currentTarget)
              }}
              onBlur={onBlur}
              onPointerEnter={({ currentTarget }) => lookAt(bar, currentTarget)}
              onClick={() => show(bar)}
            >
              <rect x={leftOf(at)} y={0} width={step} height={HEIGHT} fill="transparent" />
              {STATUSES.map((status) => {
                const height = (bar[status] / most) * (HEIGHT - 8)
                top -= height
                return height > 0 ? (
                  <rect
                    key={status}
                    className={styles[status]}
                    x={leftOf(at) + 1}
                    y={top}
                    width={Math.max(2, step - 3)}
                    height={height}
                    rx={1.5}
                  />
                ) : null
              })}
            </g>
          )
        })}
      </svg>
      <div className={styles['ticks']} aria-hidden="true">
        {weeks.map(
          ({ week }, at) =>
            at % TICK_WEEKS === 0 && (
              <span key={week} style={{ insetInlineStart: `${((firstLeft + at * step) / WIDTH) * 100}%` }}>
                {day(week)}
              </span>
            ),
        )}
      </div>
      <div className={styles['legend']}>
        {STATUSES.map((status) => (
          <span key={status}>
            <span className={cx(styles['key'], styles[status])} aria-hidden="true" />
            {m.dashboard.counts[status]}
          </span>
        ))}
        <span>
          <span className={cx(styles['key'], styles['lead'])} aria-hidden="true" />
          {m.dashboard.lead(leadDays)}
        </span>
        <span>
          <span className={cx(styles['key'], styles['todayKey'])} aria-hidden="true" />
          {m.dashboard.today}
        </span>
      </div>
      <p className="muted">{m.dashboard.lookAtBar}</p>
      {looked && (
        <DomainsOfBar
          key={looked.to}
          label={labelOf(looked)}
          search={searchOf(looked)}
          count={sum(looked)}
          anchor={anchor}
          content={content}
          onClose={close}
          onPointerEnter={stay}
          onPointerLeave={leave}
        />
      )}
    </>
  )
}
