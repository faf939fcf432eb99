import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar, Card, Copied } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'

/** DNSSEC state and DS records; can be switched if the provider supports it. */
export function DnssecCard({ domainId, mayChange }: { domainId: string; mayChange: boolean }) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.dnssec
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const queryKey = ['domain', domainId, 'dnssec']
  const params = { path: { id: domainId } }
  const {
    data: state,
    error,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.GET('/api/domains/{id}/dnssec', { ...params, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  async function change(signed: boolean) {
    client.setQueryData(queryKey, await api.PUT('/api/domains/{id}/dnssec', { ...params, body: { signed } }))
  }
  return (
    <Card title={words.title}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!state && !error && <Loading lines={2} />}
      {state && (
        <>
          <Bar>
            <Badge tone={state.signed ? 'good' : 'plain'} icon={state.signed ? 'lock' : 'info'}>
              {state.signed ? words.signed : words.unsigned}
            </Badge>
          </Bar>
          {state.signed && (
            <>
              <p>{state.ds.length > 0 ? words.dsHelp : words.noDs}</p>
              {state.ds.map(({ value }, at) => (
                <Copied key={value} label={`${words.ds} ${at + 1}`} text={value} />
              ))}
            </>
          )}
          {mayChange && (
            <Bar>
              <Button look={state.signed ? 'danger' : 'usual'} onPress={() => setAsking(true)}>
                {state.signed ? words.unsign : words.sign}
              </Button>
            </Bar>
          )}
          {isAsking && (
            <Confirm
              title={state.signed ? words.unsignTitle : words.signTitle}
              action={state.signed ? words.unsign : words.sign}
              danger={state.signed}
              onConfirm={() => change(!state.signed)}
              onClose={() => setAsking(false)}
            >
              <p>{state.signed ? words.unsignText : words.signText}</p>
            </Confirm>
          )}
        </>
      )}
    </Card>
  )
}
