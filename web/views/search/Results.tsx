import { Link } from '@tanstack/react-router'
import { showTtl } from '../../zone/ttl.ts'
import { readable, visible } from '../../ui/visible.ts'
import { useMessages } from '../../ui/language.tsx'
import { Table } from '../../ui/page/Table.tsx'

export interface FoundRecord {
  id: string
  domainId: string
  domainName: string
  name: string
  recordType: string
  value: string
  ttl: number | null
}

interface ResultsProps {
  records: readonly FoundRecord[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: Set<string>) => void
}

/** Found records by domain. */
export function Results({ records, chosen, onChoose }: ResultsProps) {
  const m = useMessages('records')
  const domainIds = [...new Set(records.map(({ domainId }) => domainId))]
  return domainIds.map((domainId) => {
    const own = records.filter((record) => record.domainId === domainId)
    const name = readable(own[0]?.domainName ?? '')
    return (
      <section key={domainId} className="stack">
        <h2>
          <Link to="/domains/$id" params={{ id: domainId }}>
            {visible(name)}
          </Link>
        </h2>
        <Table
          label={name}
          rows={own}
          idOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              title: m.records.name,
              head: true,
              cell: (one) => (
                <Link
                  to="/domains/$id/records"
                  params={{ id: domainId }}
                  search={{ filter: `name:${one.name} type:${one.recordType}` }}
                  className="mono"
                >
                  {visible(one.name)}
                </Link>
              ),
            },
            { id: 'type', title: m.records.type, tight: true, cell: ({ recordType }) => recordType },
            {
              id: 'value',
              title: m.records.value,
              cell: ({ value }) => <span className="mono">{visible(value)}</span>,
            },
            {
              id: 'ttl',
              title: m.records.ttl,
              tight: true,
              cell: ({ ttl }) => (ttl === null ? m.records.automatic : showTtl(ttl)),
            },
          ]}
          selecting={{
            chosen,
            onChange: onChoose,
            label: (id) => {
              const one = own.find((record) => record.id === id)
              return m.common.choose(one ? `${one.name} ${one.recordType} ${one.value}` : '')
            },
          }}
        />
      </section>
    )
  })
}
