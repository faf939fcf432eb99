import type { Schemas } from '../../api/schema.d.ts'
import { Badge, type Tone } from '../feedback/Note.tsx'
import { useFormats, useMessages } from '../language.tsx'
import { Table, type Column } from '../page/Table.tsx'
import { visible } from '../visible.ts'

type Server = Schemas['Verification']['servers'][number]

const TONES: Record<Server['state'], Tone> = {
  agrees: 'good',
  differs: 'bad',
  no_answer: 'warn',
  refused: 'bad',
  lame: 'bad',
  not_comparable: 'plain',
}
const DNS_PORT = 53

/** Each address that was asked, with its answer. */
export function ServerTable({ servers }: { servers: readonly Server[] }) {
  const m = useMessages('verification')
  const words = m.verification
  const { ago, utc } = useFormats()
  const columns: Column<Server>[] = [
    {
      id: 'server',
      title: words.server,
      head: true,
      cell: (one) => (
        <>
          {one.server !== one.address && <div>{visible(one.server)}</div>}
          <span className="mono">{addressOf(one)}</span>
        </>
      ),
    },
    {
      id: 'state',
      title: words.state,
      cell: ({ state }) => <Badge tone={TONES[state]}>{words.states[state]}</Badge>,
    },
    { id: 'answer', title: words.answer, cell: (one) => <Answer server={one} /> },
    {
      id: 'checked',
      title: words.checked,
      tight: true,
      cell: ({ checkedAt }) => (
        <time dateTime={checkedAt} title={utc(checkedAt)} className="muted">
          {ago(checkedAt)}
        </time>
      ),
    },
  ]
  return <Table label={words.title} rows={servers} columns={columns} idOf={addressOf} />
}

const addressOf = ({ address, port }: Pick<Server, 'address' | 'port'>) => {
  if (port === DNS_PORT) return address
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** The first RRset that a server answers otherwise. */
function Answer({ server: { name, recordType, answer } }: { server: Server }) {
  const m = useMessages('verification')
  if (name === null || answer === null) return null
  return (
    <>
      <span className="mono">
        {visible(name)} {recordType}
      </span>{' '}
      {answer.length === 0 ? (
        <span className="muted">{m.verification.noRecords}</span>
      ) : (
        <span className="mono">{visible(answer.join(', '))}</span>
      )}
    </>
  )
}
