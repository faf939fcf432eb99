import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { domainsQuery } from '../../api/queries/zones/domains.ts'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import { useCatalogue } from '../../ui/catalogue.ts'
import { Select } from '../../ui/fields/Choice.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { Bar, LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { visible } from '../../ui/visible.ts'
import { ByName } from './ByName.tsx'
import { Zones } from './Zones.tsx'

/** The domain added last. */
const NEWEST = domainsQuery({ sort: 'createdAt', order: 'desc', limit: 1 })

/** Imports zones of a provider, or adds a domain by name. */
export function AddDomains() {
  const m = useMessages('addDomains')
  const words = m.addDomains
  const { config: wanted } = useSearch({ from: '/inside/domains/add' })
  const navigate = useNavigate({ from: '/domains/add' })
  const configs = useQuery(providerConfigsQuery)
  const catalogue = useCatalogue()
  const newest = useQuery(NEWEST)
  const error = configs.error ?? catalogue.error
  const configOf = (wantedId?: string) => configs.data?.find(({ id }) => id === wantedId)
  // Otherwise the last used one: the next domain usually comes from there too.
  const last = newest.data?.domains[0]?.providerConfigId
  const config = newest.isPending
    ? configOf(wanted)
    : (configOf(wanted) ?? configOf(last) ?? configs.data?.[0])
  const hasNone = configs.data?.length === 0
  const isPending = configs.isPending || catalogue.isPending || (newest.isPending && !config && !hasNone)
  const kind = catalogue.data?.find(({ id }) => id === config?.providerId)
  const retry = () => void Promise.all([configs.refetch(), catalogue.refetch()])

  return (
    <Page title={words.title} about={words.about}>
      {error && <ProblemNote error={error} retry={retry} />}
      {isPending && !error && <Loading />}
      {hasNone && (
        <Empty
          icon="server"
          action={
            <LinkButton look="primary" to="/providers">
              {words.connect}
            </LinkButton>
          }
        >
          {words.noConfigs}
        </Empty>
      )}
      {config && kind && configs.data && (
        <>
          <Bar>
            <Select
              label={words.config}
              value={config.id}
              onChange={(id) => void navigate({ search: { config: id }, replace: true })}
              options={configs.data.map(({ id, name, providerId }) => ({
                id,
                text: visible(name),
                note: catalogue.data?.find((one) => one.id === providerId)?.name ?? '',
              }))}
            />
            <LinkButton look="plain" icon="plus" to="/providers">
              {words.another}
            </LinkButton>
          </Bar>
          {kind.capabilities.truth === 'provider' && <Zones key={config.id} config={config} />}
          <ByName key={`name-${config.id}`} config={config} can={kind.capabilities} />
        </>
      )}
    </Page>
  )
}
