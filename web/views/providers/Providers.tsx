import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import { SearchField } from '../../ui/fields/SearchField.tsx'
import { useCatalogue } from '../../ui/catalogue.ts'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Empty } from '../../ui/feedback/Note.tsx'
import { Bar, Card, Cards, LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { visible } from '../../ui/visible.ts'

/** Connections, and kinds of providers to connect. */
export function Providers() {
  const m = useMessages('providers')
  const words = m.providers
  const configs = useQuery(providerConfigsQuery)
  const catalogue = useCatalogue()
  const [typed, setTyped] = useState('')
  const error = configs.error ?? catalogue.error
  const kinds = catalogue.data?.filter(({ key, name, ownName }) =>
    `${key} ${name} ${ownName}`.toLowerCase().includes(typed.trim().toLowerCase()),
  )
  const retry = () => {
    void configs.refetch()
    void catalogue.refetch()
  }
  const kindOf = (providerId: string) => catalogue.data?.find(({ id }) => id === providerId)?.name

  return (
    <Page title={words.title} about={words.about}>
      {error && <ProblemNote error={error} retry={retry} />}
      {(configs.isPending || catalogue.isPending) && !error && <Loading />}
      {configs.data && (
        <>
          <h2>{words.connected}</h2>
          {configs.data.length === 0 && <Empty icon="server">{words.none}</Empty>}
          {configs.data.length > 0 && (
            <Cards>
              {configs.data.map(({ id, name, providerId, providerKey, breaker }) => (
                <Card key={id} title={visible(name)}>
                  <Bar>
                    <span>{kindOf(providerId) ?? providerKey}</span>
                    {breaker.state === 'open' && (
                      <Badge tone="bad" icon="warning">
                        {words.breaker.badge}
                      </Badge>
                    )}
                  </Bar>
                  <Bar>
                    <LinkButton
                      to="/providers/$id"
                      params={{ id }}
                      aria-label={`${words.open}${m.common.colon}${name}`}
                    >
                      {words.open}
                    </LinkButton>
                    <LinkButton
                      look="plain"
                      to="/domains"
                      search={{ providerConfigId: id }}
                      aria-label={`${words.domainsOf}${m.common.colon}${name}`}
                    >
                      {words.domainsOf}
                    </LinkButton>
                    <LinkButton
                      look="plain"
                      to="/domains/add"
                      search={{ config: id }}
                      aria-label={`${words.bringIn}${m.common.colon}${name}`}
                    >
                      {words.bringIn}
                    </LinkButton>
                  </Bar>
                </Card>
              ))}
            </Cards>
          )}
        </>
      )}
      {kinds && (
        <>
          <h2>{words.connect}</h2>
          <SearchField label={words.search} value={typed} onChange={setTyped} />
          <p role="status" className="muted">
            {kinds.length === 0 ? words.noneFound : words.shown(kinds.length)}
          </p>
          <Cards>
            {kinds.map(({ id, key, name, capabilities }) => (
              <Card key={id} title={name}>
                {capabilities.truth === 'local' && <p className="muted">{words.manual}</p>}
                <Bar>
                  <LinkButton
                    icon="plus"
                    to="/providers/$id"
                    params={{ id: 'new' }}
                    search={{ kind: key }}
                    aria-label={words.connectOne(name)}
                  >
                    {words.connectIt}
                  </LinkButton>
                </Bar>
              </Card>
            ))}
          </Cards>
        </>
      )}
    </Page>
  )
}
