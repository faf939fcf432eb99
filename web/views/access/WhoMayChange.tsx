import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordTypesQuery } from '../../api/queries/zones/domains.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { judge, typedName } from '../../zone/patterns.ts'
import { Select } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'

interface Props {
  domain: string
  owner: string | undefined
  assignments: readonly Schemas['Assignment'][]
}

/** Users with permission to edit a name. */
export function WhoMayChange({ domain, owner, assignments }: Props) {
  const m = useMessages('access')
  const words = m.access.whoMay
  const { data: types = [] } = useQuery(recordTypesQuery)
  const [typed, setTyped] = useState('')
  const [type, setType] = useState('A')
  const name = typedName(typed, domain)
  const people = [...new Set(assignments.map(({ username }) => username))].sort()
  const rows = [
    ...(owner === undefined ? [] : [{ who: owner, may: 'change' as const, why: words.byOwner }]),
    { who: words.admins, may: 'change' as const, why: words.byAdmin },
    ...people.flatMap((username) => {
      const { may, by } = judge(
        assignments.filter((one) => one.username === username),
        { name, type },
      )
      return may === 'nothing' || by === null ? [] : [{ who: username, may, why: words.byRight(by.host) }]
    }),
  ]
  return (
    <Card title={words.title}>
      <Fields>
        <TextField
          optional
          label={words.name}
          placeholder="@"
          help={m.access.form.nameHelp(domain)}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          mono
        />
        <Select
          label={words.type}
          value={type}
          onChange={setType}
          options={types.map((one) => ({ id: one.type, text: one.type }))}
        />
      </Fields>
      <Table
        label={words.results}
        rows={rows}
        idOf={({ who }) => who}
        columns={[
          { id: 'who', title: m.access.who, head: true, cell: ({ who }) => visible(who) },
          {
            id: 'may',
            title: m.access.what,
            cell: ({ may }) => <Badge tone={may === 'change' ? 'info' : 'plain'}>{words[may]}</Badge>,
          },
          { id: 'why', title: words.why, cell: ({ why }) => <span className="muted">{why}</span> },
        ]}
      />
      {rows.length === (owner === undefined ? 1 : 2) && <p role="status">{words.nobody}</p>}
    </Card>
  )
}
