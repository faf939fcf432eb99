import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { changed } from '../../api/live/live.ts'
import { changeRequestQuery } from '../../api/queries/zones/change-requests.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Bar, Card, Page } from '../../ui/page/Page.tsx'
import { readable, visible } from '../../ui/visible.ts'
import { Decisions } from './Decisions.tsx'
import { Edited } from './Edited.tsx'
import { RequestPlan } from './RequestPlan.tsx'
import { StateNote } from './StateNote.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { Timeline } from './Timeline.tsx'

/** One change request: what it changes, what people said, and the decision. */
export function ChangeRequest() {
  const { id } = useParams({ from: '/inside/change-requests/$id' })
  const { data: request } = useSuspenseQuery(changeRequestQuery(id))
  return <Opened key={request.id} request={request} />
}

function Opened({ request }: { request: Schemas['ChangeRequest'] }) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests
  const { ago, utc, number } = useFormats()
  const client = useQueryClient()
  /** The revision that the user has looked at; only that one can be approved. */
  const [seen, setSeen] = useState(request)
  const { domainId, domainName, author, createdAt, revision, status, plan, reason } = request
  const isEdited = seen.revision !== revision
  /** Takes over the answer of an own action. */
  const onDone = (answer: Schemas['ChangeRequest']) => {
    client.setQueryData(changeRequestQuery(answer.id).queryKey, answer)
    setSeen(answer)
    changed('change_request', domainId)
    if (answer.changeId !== null) changed('record', domainId)
  }
  return (
    <Page
      title={visible(request.title)}
      about={
        <Bar>
          <StatusBadge status={status} />
          <Link to="/domains/$id/records" params={{ id: domainId }}>
            {visible(readable(domainName))}
          </Link>
          <span title={utc(createdAt)}>{words.by(visible(author.name), ago(createdAt))}</span>
          {revision > 1 && <span>{words.revision(number(revision))}</span>}
        </Bar>
      }
      actions={<Decisions request={request} isSeen={!isEdited} onDone={onDone} />}
    >
      <StateNote request={request} onDone={onDone} />
      {isEdited && <Edited seen={seen} now={request} onAccept={() => setSeen(request)} />}
      <Card title={words.reason}>
        {reason === '' ? <p className="muted">{words.noReason}</p> : <p>{visible(reason)}</p>}
      </Card>
      <Card title={words.changes}>
        <RequestPlan plan={plan} domainId={domainId} isOpen={status === 'open'} />
      </Card>
      <Timeline request={request} onDone={onDone} />
    </Page>
  )
}
