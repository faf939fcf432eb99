import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changed } from '../../api/live/live.ts'
import { meQuery, twoFactorQuery } from '../../api/queries/account.ts'
import { factorMissing } from '../../api/session/required-factor.ts'
import { signOut } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { useSite } from '../../ui/hooks/useSite.ts'
import { AppCard } from '../account/second-factor/AppCard.tsx'
import { MailCodesCard } from '../account/second-factor/MailCodesCard.tsx'
import { Passkeys } from '../account/Passkeys.tsx'
import { RecoveryCodes } from '../account/second-factor/RecoveryCodes.tsx'
import styles from './Shell.module.css'

/** Replaces every page while the account lacks a required second factor. */
export function RequiredFactor() {
  const m = useMessages('account', 'shell')
  const words = m.account.required
  const queryClient = useQueryClient()
  const site = useSite()
  const { data: me, error: meError, refetch: readMe } = useQuery(meQuery)
  const { data: state, error: stateError, refetch: readState } = useQuery(twoFactorQuery)
  const [codes, setCodes] = useState<readonly string[]>([])
  // Set up in another tab, or no longer required. Recovery codes are shown first.
  const isOver = state !== undefined && (state.enabled || !state.required) && codes.length === 0
  useEffect(() => {
    if (!isOver) return
    factorMissing.set(false)
    // Repeat refused queries.
    void queryClient.resetQueries()
  }, [isOver, queryClient])
  const onChanged = (recoveryCodes: readonly string[] = []) => {
    setCodes(recoveryCodes)
    changed('account')
  }
  const error = meError ?? stateError
  const retry = () => {
    void readMe()
    void readState()
  }
  return (
    <main id="main" tabIndex={-1} className={styles['main']}>
      <Page
        title={words.title}
        about={words.about}
        actions={<Button onPress={() => void signOut()}>{m.shell.signOut}</Button>}
      >
        {error && <ProblemNote error={error} retry={retry} />}
        {me && state ? (
          <>
            <AppCard isOn={state.methods.includes('totp')} onChanged={onChanged} />
            <Passkeys onChanged={onChanged} />
            {me.emailVerified && site?.emailEnabled === true && (
              <MailCodesCard isOn={state.methods.includes('email')} onChanged={onChanged} />
            )}
          </>
        ) : (
          !error && <Loading />
        )}
        {codes.length > 0 && <RecoveryCodes codes={codes} onKept={() => setCodes([])} />}
      </Page>
    </main>
  )
}
