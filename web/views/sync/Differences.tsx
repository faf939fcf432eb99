import type { Schemas } from '../../api/schema.d.ts'
import { showTtl } from '../../zone/ttl.ts'
import { Parts } from '../../ui/plan/DiffLine.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'

type Content = Schemas['RecordContent']

interface Report {
  created: number
  updated: number
  deleted: number
  difference: Schemas['SyncDifference']
}

interface DifferenceRow {
  id: string
  what: 'created' | 'updated' | 'deleted'
  here: Content | null
  there: Content | null
}

const TONES = { created: 'good', updated: 'info', deleted: 'bad' } as const

/** Differences: here, at the provider, after the sync. */
export function Differences({ report: { created, updated, deleted, difference } }: { report: Report }) {
  const m = useMessages('sync')
  const { number } = useFormats()
  const words = m.sync
  const rows: DifferenceRow[] = [
    ...difference.deleted.map((here, at): DifferenceRow => ({
      id: `d${at}`,
      what: 'deleted',
      here,
      there: null,
    })),
    ...difference.updated.map(({ before, after }, at): DifferenceRow => ({
      id: `u${at}`,
      what: 'updated',
      here: before,
      there: after,
    })),
    ...difference.created.map((there, at): DifferenceRow => ({
      id: `c${at}`,
      what: 'created',
      here: null,
      there,
    })),
  ]
  const listed = Math.max(difference.created.length, difference.updated.length, difference.deleted.length)
  return (
    <>
      {rows.length < created + updated + deleted && <p>{words.onlyFirst(number(listed))}</p>}
      <Table
        label={words.table}
        rows={rows}
        idOf={({ id }) => id}
        columns={[
          {
            id: 'record',
            title: words.columns.record,
            head: true,
            cell: ({ here, there }) => {
              const { name, recordType } = (here ?? there) as Content
              return (
                <span className="mono">
                  {visible(name)} {recordType}
                </span>
              )
            },
          },
          {
            id: 'here',
            title: words.columns.here,
            cell: ({ here, there }) => <Side content={here} other={there} />,
          },
          {
            id: 'there',
            title: words.columns.there,
            cell: ({ here, there }) => <Side content={there} other={here} />,
          },
          {
            id: 'after',
            title: words.columns.after,
            cell: ({ what, there }) => (
              <>
                <Badge tone={TONES[what]}>{words.after[what]}</Badge>{' '}
                {there && <Side content={there} other={there} />}
              </>
            ),
          },
        ]}
      />
    </>
  )
}

/** A record on one side, with differences highlighted. */
function Side({ content, other }: { content: Content | null; other: Content | null }) {
  const m = useMessages('records', 'sync')
  if (!content) return <span className="muted">{m.sync.nothing}</span>
  const rest = (one: Content) =>
    [
      one.ttl === null ? m.records.automatic : showTtl(one.ttl),
      ...(one.enabled ? [] : [m.records.states.disabled]),
      ...(one.proxied ? [m.records.states.proxied] : []),
      ...(one.comment === '' ? [] : [`# ${one.comment}`]),
    ].join(', ')
  const own = rest(content)
  return (
    <span className="mono">
      <Parts own={content.value} other={other?.value} />
      <span className="muted">
        {' '}
        {other && rest(other) !== own ? <mark>{visible(own)}</mark> : visible(own)}
      </span>
    </span>
  )
}
