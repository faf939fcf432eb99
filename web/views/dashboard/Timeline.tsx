import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import { expiriesQuery } from '../../api/queries/dashboard.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/classes.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Card } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Table } from '../../ui/Table.tsx'
import styles from './Dashboard.module.css'

interface Week {
  week: string
  active: number
  expiring: number
  expired: number
}

const STATUSES = ['expired', 'expiring', 'active'] as const
const WIDTH = 720
const HEIGHT = 140
/** Of the weeks below the bars so many are named. */
const TICK_WEEKS = 9
const WEEK_MS = 7 * 86_400_000

const sum = ({ active, expiring, expired }: Week) => active + expiring + expired

/** When domains expire: a bar a week, and the same as a table. */
export function Timeline() {
  const m = useMessages('dashboard')
  const [asTable, setTable] = useState(false)
  const { data, error, refetch } = useQuery(expiriesQuery)
  const words = m.dashboard
  const isEmpty = data && data.overdue === 0 && data.weeks.every((week) => sum(week) === 0)
  return (
    <Card
      title={words.expiries}
      actions={
        data &&
        !isEmpty && (
          <Button look="link" aria-pressed={asTable} onPress={() => setTable(!asTable)}>
            {words.asTable}
          </Button>
        )
      }
    >
      <p className="muted">{words.expiriesAbout}</p>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading lines={4} />}
      {isEmpty && <p>{words.noExpiries}</p>}
      {data && !isEmpty && (asTable ? <AsTable weeks={data.weeks} /> : <Chart weeks={data.weeks} />)}
      {data && data.overdue > 0 && <p>{words.overdue(data.overdue)}</p>}
    </Card>
  )
}

function AsTable({ weeks }: { weeks: readonly Week[] }) {
  const m = useMessages('dashboard')
  const { day, number } = useFormats()
  const statuses = STATUSES.map((status) => ({
    id: status,
    title: m.dashboard.counts[status],
    end: true,
    cell: (week: Week) => number(week[status]),
  }))
  return (
    <Table
      label={m.dashboard.expiries}
      rows={weeks.filter((week) => sum(week) > 0)}
      idOf={({ week }) => week}
      columns={[
        { id: 'week', title: m.dashboard.week, head: true, cell: ({ week }) => day(week) },
        ...statuses,
      ]}
    />
  )
}

/** One bar has the Tab key, the others come by arrows; Enter shows the domains of the week. */
function Chart({ weeks }: { weeks: readonly Week[] }) {
  const m = useMessages('dashboard')
  const { day } = useFormats()
  const navigate = useNavigate()
  const [reached, setReached] = useState(0)
  const most = Math.max(1, ...weeks.map(sum))
  const step = WIDTH / weeks.length

  const show = ({ week }: Week) =>
    void navigate({
      to: '/domains',
      search: {
        expiresAfter: new Date(week).toISOString(),
        expiresBefore: new Date(Date.parse(week) + WEEK_MS).toISOString(),
        sort: 'expiresAt',
      },
    })
  function onKey(event: KeyboardEvent<SVGElement>, at: number) {
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (move !== 0) {
      const next = Math.max(0, Math.min(weeks.length - 1, at + move))
      setReached(next)
      event.currentTarget.parentElement?.querySelectorAll<SVGElement>('[data-bar]')[next]?.focus()
    } else if (event.key === 'Enter') show(weeks[at] as Week)
    else return
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
      >
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className={styles['axis']} />
        {weeks.map((week, at) => {
          let top = HEIGHT
          const label = m.dashboard.inWeek(day(week.week), sum(week))
          return (
            <g
              key={week.week}
              data-bar
              className={styles['bar']}
              role="link"
              tabIndex={at === reached ? 0 : -1}
              aria-label={label}
              onKeyDown={(event) => onKey(event, at)}
              onFocus={() => setReached(at)}
              onClick={() => show(week)}
            >
              <title>{label}</title>
              <rect x={at * step} y={0} width={step} height={HEIGHT} fill="transparent" />
              {STATUSES.map((status) => {
                const height = (week[status] / most) * (HEIGHT - 8)
                top -= height
                return height > 0 ? (
                  <rect
                    key={status}
                    className={styles[status]}
                    x={at * step + 1}
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
              <span key={week} style={{ insetInlineStart: `${(at / weeks.length) * 100}%` }}>
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
      </div>
    </>
  )
}
