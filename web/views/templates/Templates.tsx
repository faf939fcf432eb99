import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { templatesQuery } from '../../api/queries/templates.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Empty } from '../../ui/feedback/Note.tsx'
import { LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'
import { useSaidTemplate } from './said.ts'

export const kindOf = ({ builtIn, shared }: Schemas['Template']) =>
  builtIn ? 'builtIn' : shared ? 'shared' : 'own'

/** Templates: built-in, shared, and the user's own. */
export function Templates() {
  const m = useMessages('templates')
  const words = m.templates
  const say = useSaidTemplate()
  const { data: templates, error, refetch } = useQuery(templatesQuery)
  const add = (
    <LinkButton to="/templates/$id" params={{ id: 'new' }} look="primary" icon="plus">
      {words.add}
    </LinkButton>
  )
  return (
    <Page title={words.title} about={words.about} actions={add}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!templates && !error && <Loading />}
      {templates?.length === 0 && (
        <Empty icon="text" action={add}>
          {words.none}
        </Empty>
      )}
      {templates && templates.length > 0 && (
        <Table
          label={words.title}
          rows={templates.map(say)}
          idOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              title: m.common.name,
              head: true,
              cell: ({ id, name }) => (
                <Link to="/templates/$id" params={{ id }}>
                  {visible(name)}
                </Link>
              ),
            },
            {
              id: 'about',
              title: words.form.description,
              cell: ({ description }) => visible(description),
            },
            { id: 'kind', title: words.kind, cell: (one) => <Badge>{words.kinds[kindOf(one)]}</Badge> },
            {
              id: 'count',
              title: words.records,
              tight: true,
              cell: ({ records }) => words.count(records.length),
            },
          ]}
        />
      )}
    </Page>
  )
}
