import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { expiriesQuery } from '../../api/queries/dashboard.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { Chart } from './Chart.tsx'
import { barsOf, STATUSES, sum, type Bar, type Week } from './weeks.ts'

/** Expirations by week, as a chart or a table. */
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
      {data && !isEmpty && (asTable ? <AsTable {...data} /> : <Chart {...data} />)}
    </Card>
  )
}

function AsTable({ weeks, overdue }: { weeks: readonly Week[]; overdue: number }) {
  const m = useMessages('dashboard')
  const { day, number } = useFormats()
  const statuses = STATUSES.map((status) => ({
    id: status,
    title: m.dashboard.counts[status],
    end: true,
    cell: (bar: Bar) => number(bar[status]),
  }))
  return (
    <Table
      label={m.dashboard.expiries}
      rows={barsOf(weeks, overdue).filter((bar) => sum(bar) > 0)}
      idOf={({ to }) => to}
      columns={[
        {
          id: 'week',
          title: m.dashboard.week,
          head: true,
          cell: (bar) => (bar.from === null ? m.dashboard.overdue(overdue) : day(bar.week)),
        },
        ...statuses,
      ]}
    />
  )
}
