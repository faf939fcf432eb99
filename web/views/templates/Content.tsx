import type { Schemas } from '../../api/schema.d.ts'
import { showTtl } from '../../zone/ttl.ts'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'

/** A read-only template. */
export function Content({ template: { records } }: { template: Schemas['Template'] }) {
  const m = useMessages('records', 'templates')
  const words = m.templates
  const rows = records.map((record, at) => ({ ...record, id: String(at) }))
  return (
    <Card title={words.records}>
      <Table
        label={words.records}
        rows={rows}
        idOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            title: m.records.name,
            head: true,
            cell: ({ name }) => <span className="mono">{visible(name)}</span>,
          },
          { id: 'type', title: m.records.type, cell: ({ recordType }) => recordType },
          {
            id: 'value',
            title: m.records.value,
            cell: ({ value }) => <span className="mono">{visible(value)}</span>,
          },
          {
            id: 'ttl',
            title: m.records.ttl,
            cell: ({ ttl }) => (ttl === undefined ? m.records.automatic : showTtl(ttl)),
          },
        ]}
      />
      <p className="muted">{words.form.recordsHelp}</p>
    </Card>
  )
}
