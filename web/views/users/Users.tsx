import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usersQuery } from '../../api/queries/users.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import type { Messages } from '../../messages/en.ts'
import type { Formats } from '../../messages/formats.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Empty } from '../../ui/feedback/Note.tsx'
import { Bar, LinkButton, Page, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table, type Column } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'
import { CreateUser } from './CreateUser.tsx'
import { Filters } from './Filters.tsx'

const LIMIT = 50

/** All accounts of people and machines. */
export function Users() {
  const m = useMessages('users')
  const formats = useFormats()
  const words = m.users
  const search = useSearch({ from: '/inside/users' })
  const navigate = useNavigate({ from: '/users' })
  const { page = 1, ...filter } = search
  const { data: list, error, refetch } = useQuery(usersQuery({ ...filter, page, limit: LIMIT }))
  const [isMaking, setMaking] = useState(false)
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Page
      wide
      title={words.title}
      actions={
        <Bar>
          <LinkButton to="/users/invitations">{words.invitations}</LinkButton>
          <Button look="primary" icon="plus" onPress={() => setMaking(true)}>
            {words.add}
          </Button>
        </Bar>
      }
    >
      <Filters />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading lines={10} />}
      {list?.total === 0 && (
        <Empty
          icon={isFiltered ? 'search' : 'users'}
          action={
            isFiltered && (
              <Button onPress={() => void navigate({ search: {} })}>{m.common.clearFilter}</Button>
            )
          }
        >
          {isFiltered ? words.noneFound : words.none}
        </Empty>
      )}
      {list && list.total > 0 && (
        <>
          <Table
            label={words.title}
            rows={list.users}
            idOf={({ id }) => id}
            columns={columnsOf(words, formats)}
          />
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { ...search, page: next > 1 ? next : undefined } })}
          />
        </>
      )}
      {isMaking && <CreateUser onClose={() => setMaking(false)} />}
    </Page>
  )
}

function columnsOf(words: Messages['users'], { ago, utc, list }: Formats): Column<Schemas['User']>[] {
  const titles = words.columns
  const ownId = session.get().user?.id
  return [
    {
      id: 'name',
      title: titles.name,
      head: true,
      cell: ({ id, username, displayName, email }) => (
        <>
          <Bar>
            <Link to="/users/$id" params={{ id }}>
              {username}
            </Link>
            {id === ownId && <Badge tone="info">{words.you}</Badge>}
          </Bar>
          {(displayName ?? email) !== null && (
            <div className="muted">{visible([displayName, email].filter(Boolean).join(' · '))}</div>
          )}
        </>
      ),
    },
    { id: 'kind', title: titles.kind, tight: true, cell: ({ kind }) => words.kinds[kind] },
    {
      id: 'role',
      title: titles.role,
      tight: true,
      cell: ({ role }) =>
        role === 'admin' ? <Badge tone="info">{words.roles.admin}</Badge> : words.roles.member,
    },
    {
      id: 'state',
      title: titles.state,
      tight: true,
      cell: ({ disabled }) =>
        disabled ? (
          <Badge tone="bad" icon="lock">
            {words.disabled}
          </Badge>
        ) : (
          <Badge tone="good">{words.enabled}</Badge>
        ),
    },
    {
      id: 'second',
      title: titles.second,
      cell: ({ kind, twoFactor }) =>
        kind === 'machine' ? (
          <span className="muted">{words.second.none}</span>
        ) : twoFactor.enabled ? (
          list(twoFactor.methods.map((method) => words.methods[method]))
        ) : (
          <Badge tone="warn">{words.second.off}</Badge>
        ),
    },
    {
      id: 'last',
      title: titles.last,
      tight: true,
      cell: ({ kind, lastLoginAt }) =>
        kind === 'machine' ? (
          <span aria-hidden="true">–</span>
        ) : lastLoginAt === null ? (
          <span className="muted">{words.never}</span>
        ) : (
          <span title={utc(lastLoginAt)}>{ago(lastLoginAt)}</span>
        ),
    },
  ]
}
