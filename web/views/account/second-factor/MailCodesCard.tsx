import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { withFreshSignIn } from '../../../api/session/fresh-sign-in.ts'
import { meQuery } from '../../../api/queries/account.ts'
import { ActionButton } from '../../../ui/page/ActionButton.tsx'
import { Button } from '../../../ui/page/Button.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../../ui/fields/Form.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Badge, Note } from '../../../ui/feedback/Note.tsx'
import { Bar, Card, LinkButton } from '../../../ui/page/Page.tsx'
import { toast } from '../../../ui/feedback/Toast.tsx'
import { useSite } from '../../../ui/hooks/useSite.ts'
import type { FactorProps } from './factor.ts'
import { TurnOff } from './TurnOff.tsx'

/** Codes by email; require a confirmed address. */
export function MailCodesCard({ isOn, onChanged }: FactorProps) {
  const m = useMessages('account')
  const words = m.account.security
  const { data: me } = useSuspenseQuery(meQuery)
  const site = useSite()
  const [isTurningOn, setTurningOn] = useState(false)
  return (
    <Card
      title={words.mail}
      actions={<Badge tone={isOn ? 'good' : 'plain'}>{isOn ? words.isOn : words.isOff}</Badge>}
    >
      <p>{words.mailText}</p>
      {isOn ? (
        <Bar>
          <TurnOff
            title={words.turnOffMail}
            turnOff={() => withFreshSignIn((body) => api.DELETE('/api/2fa/email', { body }))}
            onDone={onChanged}
          />
        </Bar>
      ) : site?.emailEnabled === false ? (
        <p className="muted">{words.mailOff}</p>
      ) : me.emailVerified ? (
        <Bar>
          <Button onPress={() => setTurningOn(true)}>{words.setUp}</Button>
        </Bar>
      ) : (
        <Note actions={<LinkButton to="/account/profile">{words.toProfile}</LinkButton>}>
          {words.mailNeeds}
        </Note>
      )}
      {isTurningOn && (
        <TurnOn
          onDone={(codes) => {
            setTurningOn(false)
            onChanged(codes)
            if (codes.length === 0) toast(words.enabled)
          }}
          onClose={() => setTurningOn(false)}
        />
      )}
    </Card>
  )
}

function TurnOn({ onDone, onClose }: { onDone: (codes: readonly string[]) => void; onClose: () => void }) {
  const m = useMessages('account')
  const words = m.account.security
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const send = async () => setSentTo((await api.POST('/api/2fa/email/send')).sentTo)
  async function submit() {
    const { recoveryCodes } = await withFreshSignIn((password) =>
      api.POST('/api/2fa/email/enable', { body: { code: code.trim(), ...password } }),
    )
    onDone(recoveryCodes)
  }
  return (
    <Dialog title={words.mailTitle} onClose={onClose}>
      <Bar>
        <ActionButton look={sentTo === null ? 'primary' : 'usual'} onAct={send}>
          {words.sendCode}
        </ActionButton>
      </Bar>
      {sentTo !== null && (
        <>
          <p role="status">{words.sentTo(sentTo)}</p>
          <Form fields={['code']} onSubmit={submit}>
            {(isPending) => (
              <>
                <TextField
                  mono
                  autoFocus
                  label={words.mailCode}
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
                </FormActions>
              </>
            )}
          </Form>
        </>
      )}
    </Dialog>
  )
}
