import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { withFreshSignIn } from '../../api/session/fresh-sign-in.ts'
import { changed } from '../../api/live/live.ts'
import { bindingsQuery, signInProvidersQuery } from '../../api/queries/account.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card, Cards, Facts, useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

/** Linked external accounts. */
export function Identities() {
  const m = useMessages('account', 'register')
  const words = m.account.identities
  useTitle(words.title)
  const search = useSearch({ from: '/inside/account/identities' })
  const bindings = useQuery(bindingsQuery)
  const providers = useQuery(signInProvidersQuery)
  const error = bindings.error ?? providers.error
  const free = providers.data?.filter(
    ({ providerId }) => !bindings.data?.some((bound) => bound.providerId === providerId),
  )
  const newName = bindings.data?.find(({ providerId }) => providerId === search.provider_id)?.name
  const reasons: Record<string, string> = m.register.reasons
  return (
    <>
      <h2>{words.title}</h2>
      <p>{words.about}</p>
      {search.error !== undefined && (
        <Note tone="bad" alert>
          {reasons[search.error] ?? m.register.reasons.provider_error}
        </Note>
      )}
      {search.bound && newName !== undefined && (
        <Note tone="good" alert>
          {words.bound(visible(words.nameOf(newName)))}
        </Note>
      )}
      {error && (
        <ProblemNote
          error={error}
          retry={() => void Promise.all([bindings.refetch(), providers.refetch()])}
        />
      )}
      {!error && (!bindings.data || !providers.data) && <Loading />}
      {bindings.data && free && (
        <>
          {bindings.data.length === 0 && (
            <Empty icon="door">{free.length === 0 ? words.noProviders : words.none}</Empty>
          )}
          <Cards>
            {bindings.data.map((binding) => (
              <Bound key={binding.providerId} {...binding} name={words.nameOf(binding.name)} />
            ))}
          </Cards>
          {free.length > 0 && (
            <Card title={words.more}>
              <Bar>
                {free.map(({ providerId, name }) => (
                  <ActionButton key={providerId} icon="external" onAct={() => bind(providerId)}>
                    {words.bind(visible(words.nameOf(name)))}
                  </ActionButton>
                ))}
              </Bar>
            </Card>
          )}
        </>
      )}
    </>
  )
}

/** The browser goes to the identity provider and returns to this page. */
async function bind(providerId: string): Promise<void> {
  const { authorizeUrl } = await withFreshSignIn((body) =>
    api.POST('/api/auth/oauth/{providerId}/bind/start', { path: { providerId }, body }),
  )
  location.assign(authorizeUrl)
}

interface Binding {
  providerId: string
  name: string
  subject: string
  displayName: string | null
  email: string | null
  boundAt: string
}

function Bound({ providerId, name, subject, displayName, email, boundAt }: Binding) {
  const m = useMessages('account')
  const { day } = useFormats()
  const words = m.account.identities
  const [isAsking, setAsking] = useState(false)
  const unbind = () =>
    withFreshSignIn((body) =>
      api.DELETE('/api/auth/oauth/unbind/{providerId}', { path: { providerId }, body }),
    )
  return (
    <Card title={visible(name)}>
      <Facts
        facts={[
          [words.subject, visible(displayName ?? subject)],
          ...(email === null ? [] : ([[m.account.profile.email, visible(email)]] as [string, string][])),
        ]}
      />
      <p className="muted">{words.boundSince(day(boundAt))}</p>
      <Bar>
        <Button onPress={() => setAsking(true)} aria-label={`${words.unbind}${m.common.colon}${name}`}>
          {words.unbind}
        </Button>
      </Bar>
      {isAsking && (
        <Confirm
          title={words.unbindTitle(visible(name))}
          action={words.unbindSubmit}
          onConfirm={unbind}
          onClose={(isDone) => {
            setAsking(false)
            if (!isDone) return
            changed('account')
            toast(words.unbound)
          }}
        >
          <p>{words.unbindText}</p>
        </Confirm>
      )}
    </Card>
  )
}
