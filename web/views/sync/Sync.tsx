import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import { showTtl } from '../../zone/ttl.ts'
import { useCatalogue } from '../../ui/catalogue.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Facts, LinkButton, useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { visible } from '../../ui/visible.ts'
import { Comparison } from './Comparison.tsx'

/** Compares a domain with its provider and syncs it. */
export function Sync() {
  const m = useMessages('domain', 'sync')
  const { moment, ago } = useFormats()
  const words = m.sync
  const { id } = useParams({ from: '/inside/domains/$id/sync' })
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const { data: catalogue, error, refetch } = useCatalogue()
  const { data: configs = [] } = useQuery(providerConfigsQuery)
  useTitle(`${domain.unicodeName} · ${m.domain.sync}`)
  const kind = catalogue?.find((one) => one.id === domain.providerId)
  if (error && !kind) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!kind) return <Loading />
  if (kind.capabilities.truth === 'local')
    return (
      <Note
        tone="info"
        actions={
          <LinkButton to="/domains/$id/settings" params={{ id }}>
            {words.toSettings}
          </LinkButton>
        }
      >
        {words.local}
      </Note>
    )
  const provider = configs.find((one) => one.id === domain.providerConfigId)?.name ?? kind.name
  const { lastSyncedAt, syncInterval } = domain
  return (
    <div className="stack">
      <p>{words.about(visible(provider))}</p>
      <Facts
        facts={[
          [
            words.last,
            lastSyncedAt === null ? m.common.never : m.common.beside(moment(lastSyncedAt), ago(lastSyncedAt)),
          ],
          [words.interval, syncInterval === null ? words.off : words.every(showTtl(syncInterval * 60))],
        ]}
      />
      <Comparison domain={domain} />
    </div>
  )
}
