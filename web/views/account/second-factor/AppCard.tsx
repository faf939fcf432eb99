import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { withFreshSignIn } from '../../../api/session/fresh-sign-in.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../../ui/fields/Form.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Loading } from '../../../ui/feedback/Loading.tsx'
import { Badge } from '../../../ui/feedback/Note.tsx'
import { Bar, Card, Copied } from '../../../ui/page/Page.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../../ui/feedback/Toast.tsx'
import type { FactorProps } from './factor.ts'
import { TurnOff } from './TurnOff.tsx'
import styles from '../Security.module.css'

/** Authenticator app. */
export function AppCard({ isOn, onChanged }: FactorProps) {
  const m = useMessages('account')
  const words = m.account.security
  const [isSettingUp, setSettingUp] = useState(false)
  return (
    <Card
      title={words.app}
      actions={<Badge tone={isOn ? 'good' : 'plain'}>{isOn ? words.isOn : words.isOff}</Badge>}
    >
      <p>{words.appText}</p>
      <Bar>
        {isOn ? (
          <TurnOff
            title={words.turnOffApp}
            turnOff={() => withFreshSignIn((body) => api.DELETE('/api/2fa/totp', { body }))}
            onDone={onChanged}
          />
        ) : (
          <Button icon="lock" onPress={() => setSettingUp(true)}>
            {words.setUp}
          </Button>
        )}
      </Bar>
      {isSettingUp && (
        <SetUp
          onDone={(codes) => {
            setSettingUp(false)
            onChanged(codes)
            // The first factor shows recovery codes in a dialog of its own.
            if (codes.length === 0) toast(words.enabled)
          }}
          onClose={() => setSettingUp(false)}
        />
      )}
    </Card>
  )
}

/** Each opening creates a new secret; only the dialog holds it, without refetching. */
const setupQuery = {
  queryKey: ['totp-setup'],
  queryFn: () => api.POST('/api/2fa/totp/setup'),
  gcTime: 0,
  staleTime: Infinity,
  refetchOnWindowFocus: false,
  retry: false,
} as const

function SetUp({ onDone, onClose }: { onDone: (codes: readonly string[]) => void; onClose: () => void }) {
  const m = useMessages('account')
  const words = m.account.security
  const { data: made, error, refetch } = useQuery(setupQuery)
  const [code, setCode] = useState('')
  async function submit() {
    const wanted = code.replaceAll(' ', '')
    const { recoveryCodes } = await withFreshSignIn((password) =>
      api.POST('/api/2fa/totp/enable', { body: { code: wanted, ...password } }),
    )
    onDone(recoveryCodes)
  }
  return (
    <Dialog title={words.appTitle} onClose={onClose}>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!made && !error && <Loading />}
      {made && (
        <>
          <p>{words.scan}</p>
          <img className={styles['qr']} src={made.qrCode} alt={words.qr} width={224} height={224} />
          <Copied label={words.secret} text={made.secret} />
          <Form fields={['code']} onSubmit={submit}>
            {(isPending) => (
              <>
                <TextField
                  mono
                  label={words.appCode}
                  name="code"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  value={code}
                  onChange={setCode}
                />
                <FormActions>
                  <Button type="submit" look="primary" isPending={isPending}>
                    {words.enable}
                  </Button>
                  <Button onPress={onClose}>{m.common.cancel}</Button>
                </FormActions>
              </>
            )}
          </Form>
        </>
      )}
    </Dialog>
  )
}
