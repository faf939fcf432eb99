import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/schema.d.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import type { Column } from '../../ui/page/Table.tsx'
import { readable, visible } from '../../ui/visible.ts'
import { StatusBadge } from './StatusBadge.tsx'

type Item = Schemas['ChangeRequestItem']

/** Columns of a list of requests; `hasDomain`: of several domains. */
export function useColumns(hasDomain: boolean): Column<Item>[] {
  const m = useMessages('changeRequests')
  const { ago, utc } = useFormats()
  const words = m.changeRequests
  const domain: Column<Item> = {
    id: 'domain',
    title: words.columns.domain,
    cell: ({ domainName }) => visible(readable(domainName)),
  }
  return [
    {
      id: 'title',
      title: words.columns.title,
      head: true,
      cell: ({ id, title }) => (
        <Link to="/change-requests/$id" params={{ id }}>
          {visible(title)}
        </Link>
      ),
    },
    ...(hasDomain ? [domain] : []),
    { id: 'author', title: words.columns.author, cell: ({ author }) => visible(author.name) },
    {
      id: 'changes',
      title: words.columns.changes,
      cell: ({ created, updated, deleted }) => words.counts(created, updated, deleted),
    },
    {
      id: 'status',
      title: m.common.status,
      cell: ({ status, canApprove }) => (
        <Bar>
          <StatusBadge status={status} />
          {canApprove && <Badge tone="warn">{words.waiting}</Badge>}
        </Bar>
      ),
    },
    {
      id: 'updated',
      title: words.columns.updated,
      tight: true,
      cell: ({ updatedAt }) => (
        <time dateTime={updatedAt} title={utc(updatedAt)} className="muted">
          {ago(updatedAt)}
        </time>
      ),
    },
  ]
}
