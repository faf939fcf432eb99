import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { withFreshSignIn } from '../../api/session/fresh-sign-in.ts'
import { changed } from '../../api/live/live.ts'
import { twoFactorQuery } from '../../api/queries/account.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card, useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { AppCard } from './second-factor/AppCard.tsx'
import type { FactorProps } from './second-factor/factor.ts'
import { MailCodesCard } from './second-factor/MailCodesCard.tsx'
import { Passkeys } from './Passkeys.tsx'
import { RecoveryCodes } from './second-factor/RecoveryCodes.tsx'

/** Number of recovery codes below which a warning appears. */
const FEW = 3

/** Second factors and recovery codes. */
export function Security() {
  const m = useMessages('account')
  const words = m.account.security
  useTitle(words.title)
  const { data: state, error, refetch } = useQuery(twoFactorQuery)
  const [codes, setCodes] = useState<readonly string[]>([])
  /** After a change; the first factor comes with recovery codes. */
  const onChanged = (recoveryCodes: readonly string[] = []) => {
    setCodes(recoveryCodes)
    changed('account')
  }
  if (error && !state) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!state) return <Loading />
  return (
    <>
      <Card title={words.second}>
        <Bar>
          {state.enabled ? (
            <Badge tone="good" icon="check">
              {words.isOn}
            </Badge>
          ) : (
            <Badge tone="warn" icon="warning">
              {words.isOff}
            </Badge>
          )}
          <span>{state.enabled ? words.onText : words.offText}</span>
        </Bar>
        {state.enabled && <CodesLeft count={state.recoveryCodesLeft} onChanged={onChanged} />}
      </Card>
      <AppCard isOn={state.methods.includes('totp')} onChanged={onChanged} />
      <Passkeys onChanged={onChanged} />
      <MailCodesCard isOn={state.methods.includes('email')} onChanged={onChanged} />
      {codes.length > 0 && <RecoveryCodes codes={codes} onKept={() => setCodes([])} />}
    </>
  )
}

function CodesLeft({ count, onChanged }: { count: number; onChanged: FactorProps['onChanged'] }) {
  const m = useMessages('account')
  const words = m.account.security
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<readonly string[]>([])
  const renew = async () => {
    const answer = await withFreshSignIn((body) => api.POST('/api/2fa/recovery-codes', { body }))
    setMade(answer.recoveryCodes)
  }
  return (
    <>
      {count <= FEW ? (
        <Note tone="warn">
          {words.codesLeft(count)}
          {m.common.gap}
          {words.fewCodes}
        </Note>
      ) : (
        <p>{words.codesLeft(count)}</p>
      )}
      <Bar>
        <Button icon="sync" onPress={() => setAsking(true)}>
          {words.newCodes}
        </Button>
      </Bar>
      {isAsking && (
        <Confirm
          danger={false}
          title={words.newCodesTitle}
          action={words.newCodesSubmit}
          onConfirm={renew}
          onClose={() => {
            setAsking(false)
          }}
        >
          <p>{words.newCodesText}</p>
        </Confirm>
      )}
      {!isAsking && made.length > 0 && (
        <RecoveryCodes
          codes={made}
          onKept={() => {
            setMade([])
            onChanged()
          }}
        />
      )}
    </>
  )
}
