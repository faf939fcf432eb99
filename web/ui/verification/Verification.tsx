import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { api } from '../../api/client.ts'
import { verificationQuery } from '../../api/queries/zones/verification.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ProblemNote } from '../feedback/ProblemNote.tsx'
import { useMessages } from '../language.tsx'
import { ActionButton } from '../page/ActionButton.tsx'
import { Bar } from '../page/Page.tsx'
import { Progress } from './Progress.tsx'
import { ServerTable } from './ServerTable.tsx'

interface VerificationProps {
  domainId: string
  changeId: string
}

/** Whether the name servers serve a change, live until that is known. */
export function Verification({ domainId, changeId }: VerificationProps) {
  const m = useMessages('verification')
  const words = m.verification
  const client = useQueryClient()
  const id = useId()
  const query = verificationQuery(domainId, changeId)
  const { data: verification, error, refetch } = useQuery(query)
  if (error) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!verification) return <Loading lines={2} />
  const { status, servers } = verification
  const verify = async () => {
    const path = { id: domainId, changeId }
    client.setQueryData(
      query.queryKey,
      await api.POST('/api/domains/{id}/changes/{changeId}/verify', { path }),
    )
  }
  return (
    <section aria-labelledby={id} className="stack">
      <h3 id={id}>{words.title}</h3>
      <Progress verification={verification} />
      {servers.length > 0 && <ServerTable servers={servers} />}
      {status !== 'waiting' && (
        <Bar>
          <ActionButton icon="sync" onAct={verify}>
            {status === 'none' ? words.verify : words.again}
          </ActionButton>
        </Bar>
      )}
    </section>
  )
}
