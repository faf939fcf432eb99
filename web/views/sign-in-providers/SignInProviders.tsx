import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { oauthProvidersQuery } from '../../api/queries/sign-in-providers.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { Bar, Card, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { ProviderForm, type Edited } from './ProviderForm.tsx'

/** Identity providers: set up, test, delete. */
export function SignInProviders() {
  const m = useMessages('signInProviders')
  const words = m.signInProviders
  const { data: all, error, refetch } = useQuery(oauthProvidersQuery)
  const [edited, setEdited] = useState<Edited | null>(null)
  const free = all?.availableProviders.filter(
    ({ id }) => !all.providers.some(({ providerId }) => providerId === id),
  )
  return (
    <Page title={words.title} about={words.about}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!all && !error && <Loading />}
      {all?.providers.length === 0 && <Empty icon="door">{words.none}</Empty>}
      {all?.providers.map((config) => {
        const usual = all.availableProviders.find(({ id }) => id === config.providerId)?.name
        const name = words.nameOf(config.name ?? usual ?? config.providerId)
        return (
          <ProviderCard
            key={config.id}
            config={config}
            name={name}
            onEdit={() => setEdited({ providerId: config.providerId, name, config })}
          />
        )
      })}
      {free && (
        <Card title={words.more}>
          {free.length === 0 && <p>{words.allSetUp}</p>}
          <Bar>
            {free.map(({ id, name }) => (
              <Button
                key={id}
                icon="plus"
                onPress={() => setEdited({ providerId: id, name: words.nameOf(name), config: null })}
              >
                {words.nameOf(name)}
              </Button>
            ))}
          </Bar>
        </Card>
      )}
      {edited && <ProviderForm edited={edited} onClose={() => setEdited(null)} />}
    </Page>
  )
}
