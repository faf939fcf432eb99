import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { catalogueQuery, domainQuery } from '../../api/queries/zones/domains.ts'
import { session } from '../../api/session/session.ts'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { useMayWriteAll } from '../../ui/hooks/useMayWriteAll.ts'
import { Danger } from './Danger.tsx'
import { DnssecCard } from './DnssecCard.tsx'
import { DriftCard, VerifyCard } from './ChoiceCard.tsx'
import { ExpiryCard } from './ExpiryCard.tsx'
import { GeneralCard } from './GeneralCard.tsx'
import { MoveCard } from './MoveCard.tsx'
import { ReviewCard } from './ReviewCard.tsx'
import { SoaCard } from './SoaCard.tsx'
import { TransferCard } from './TransferCard.tsx'

export function DomainSettings() {
  const m = useMessages('domain', 'domainSettings')
  const { id } = useParams({ from: '/inside/domains/$id/settings' })
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const { data: catalogue, error, refetch } = useQuery(catalogueQuery)
  useTitle(`${domain.unicodeName} · ${m.domain.settings}`)
  const can = catalogue?.find((one) => one.id === domain.providerId)?.capabilities
  const isOwn = domain.access === 'owner' || domain.access === 'admin'
  const mayWrite = useMayWriteAll(domain)
  if (error && !can) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!can) return <Loading />
  return (
    <div className="stack">
      {!isOwn && <Note tone="info">{m.domainSettings.readOnly}</Note>}
      <ExpiryCard domain={domain} mayChange={isOwn} />
      {isOwn && <GeneralCard domain={domain} isLocal={can.truth === 'local'} />}
      {isOwn && <ReviewCard domain={domain} />}
      {isOwn && <VerifyCard domain={domain} />}
      {isOwn && can.truth === 'provider' && <DriftCard domain={domain} />}
      {can.soa !== 'none' && <SoaCard domainId={id} mayChange={mayWrite && can.soa === 'write'} />}
      {can.dnssec !== 'none' && <DnssecCard domainId={id} mayChange={isOwn && can.dnssec === 'write'} />}
      {isOwn && (
        <>
          <MoveCard domain={domain} />
          <TransferCard domain={domain} isAdmin={user?.role === 'admin'} />
          <Danger domain={domain} can={can} />
        </>
      )}
    </div>
  )
}
