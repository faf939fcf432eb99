import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { hasCode } from '../../api/problems.ts'
import { providerConfigQuery } from '../../api/queries/providers.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useCatalogue } from '../../ui/catalogue.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card, LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { Capabilities } from './Capabilities.tsx'
import { ConfigForm } from './ConfigForm.tsx'

/** One provider connection, or a new one. */
export function ProviderConfig() {
  const m = useMessages('providers')
  const words = m.providers
  const { id } = useParams({ from: '/inside/providers/$id' })
  const { kind: key } = useSearch({ from: '/inside/providers/$id' })
  const isNew = id === 'new'
  const catalogue = useCatalogue()
  const stored = useQuery({ ...providerConfigQuery(id), enabled: !isNew })
  const config = stored.data ?? null
  const error = catalogue.error ?? stored.error
  const kind = catalogue.data?.find((one) =>
    config ? one.id === config.providerId : isNew && one.key === key,
  )
  const title = config ? visible(config.name) : kind && isNew ? words.newTitle(kind.name) : words.title

  return (
    <Page
      title={title}
      {...(config && kind && { about: kind.name })}
      actions={
        config && (
          <Bar>
            <LinkButton to="/domains" search={{ providerConfigId: config.id }}>
              {words.domainsOf}
            </LinkButton>
            <LinkButton look="primary" to="/domains/add" search={{ config: config.id }}>
              {words.bringIn}
            </LinkButton>
          </Bar>
        )
      }
    >
      {error && (
        <ProblemNote
          error={error}
          retry={() => void Promise.all([catalogue.refetch(), ...(isNew ? [] : [stored.refetch()])])}
        />
      )}
      {!error && (catalogue.isPending || (!isNew && stored.isPending)) && <Loading />}
      {isNew && catalogue.data && !kind && (
        <Empty icon="server" action={<LinkButton to="/providers">{words.title}</LinkButton>}>
          {words.unknownKind}
        </Empty>
      )}
      {kind && (isNew || config) && (
        <>
          {kind.capabilities.truth === 'local' && <Note tone="info">{words.manual}</Note>}
          {config && <Breaker breaker={config.breaker} />}
          <ConfigForm key={config?.id ?? kind.id} kind={kind} config={config} />
          <Capabilities kind={kind} />
          {config && <Danger config={config} />}
        </>
      )}
    </Page>
  )
}

function Breaker({ breaker: { state, since, nextTry } }: { breaker: Schemas['Breaker'] }) {
  const m = useMessages('providers')
  const { moment, ago } = useFormats()
  const words = m.providers.breaker
  if (state === 'closed') return null
  return (
    <Note tone="bad">
      {words.open}
      {m.common.gap}
      {since !== null && words.since(moment(since))}
      {m.common.gap}
      {nextTry !== null && words.next(ago(nextTry))}
    </Note>
  )
}

function Danger({ config: { id, name } }: { config: Schemas['ProviderConfig'] }) {
  const m = useMessages('providers')
  const words = m.providers
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const [isUsed, setUsed] = useState(false)
  async function remove() {
    try {
      await api.DELETE('/api/provider-configs/{id}', { path: { id } })
    } catch (error) {
      if (!hasCode(error, 'conflict')) throw error
      setUsed(true)
      return
    }
    toast(words.deleted)
    // Leave first; this page would ask for it again.
    await navigate({ to: '/providers', ignoreBlocker: true })
    changed('provider')
  }
  return (
    <Card title={words.danger}>
      <p>{words.dangerText}</p>
      {isUsed && (
        <Note
          tone="warn"
          alert
          actions={
            <LinkButton to="/domains" search={{ providerConfigId: id }}>
              {words.showDomains}
            </LinkButton>
          }
        >
          {words.inUse}
        </Note>
      )}
      <Bar>
        <Button look="danger" icon="trash" onPress={() => setAsking(true)}>
          {words.delete}
        </Button>
      </Bar>
      {isAsking && (
        <Confirm
          title={words.deleteTitle(visible(name))}
          action={words.delete}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>{words.dangerText}</p>
        </Confirm>
      )}
    </Card>
  )
}
