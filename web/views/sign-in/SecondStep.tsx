import { startAuthentication, type PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiProblem } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { signedIn } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

type Way = Schemas['SecondFactorMethod'] | 'recovery'
type Verification = Parameters<typeof verify>[1]

const CODE_LENGTH = 6
const RESEND_SECONDS = 60

const bearer = (tempToken: string) => ({ authorization: `Bearer ${tempToken}` })

const verify = (
  tempToken: string,
  body:
    | { method: 'totp' | 'email' | 'recovery'; code: string }
    | { method: 'passkey'; credential: Schemas['PasskeyAssertion'] },
) => api.POST('/api/2fa/verify', { body, headers: bearer(tempToken) })

/** Second factor, after the password. */
export function SecondStep({
  needed,
  onBack,
}: {
  needed: Schemas['SecondFactorNeeded']
  onBack: () => void
}) {
  const m = useMessages('signIn')
  const words = m.signIn.second
  const ways: Way[] = [...needed.methods, 'recovery']
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery')
  const send = async (body: Verification) => signedIn(await verify(needed.tempToken, body))
  return (
    <section className="stack" aria-label={words.title}>
      {way === 'passkey' && <PasskeyWay tempToken={needed.tempToken} send={send} />}
      {way === 'totp' && (
        <CodeWay key="totp" label={words.totp} digits send={(code) => send({ method: 'totp', code })} />
      )}
      {way === 'email' && (
        <>
          <EmailButton tempToken={needed.tempToken} />
          <CodeWay key="email" label={words.email} digits send={(code) => send({ method: 'email', code })} />
        </>
      )}
      {way === 'recovery' && (
        <CodeWay
          key="recovery"
          label={words.recovery}
          help={words.recoveryHelp}
          send={(code) => send({ method: 'recovery', code })}
        />
      )}
      <FormActions>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} look="plain" onPress={() => setWay(other)}>
              {words.ways[other]}
            </Button>
          ))}
        <Button look="plain" onPress={onBack}>
          {m.common.back}
        </Button>
      </FormActions>
    </section>
  )
}

interface CodeProps {
  label: string
  help?: string
  /** Six digits, submitted automatically. */
  digits?: boolean
  send: (code: string) => Promise<void>
}

function CodeWay({ label, help, digits, send }: CodeProps) {
  const m = useMessages('signIn')
  const { number } = useFormats()
  const [code, setCode] = useState('')
  const [left, setLeft] = useState<number | null>(null)
  async function submit() {
    try {
      await send(code.trim())
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.problem.triesLeft === undefined) throw error
      setLeft(error.problem.triesLeft)
      setCode('')
    }
  }
  return (
    <Form
      fields={['code']}
      onSubmit={submit}
      isComplete={digits === true && /^\d+$/.test(code) && code.length === CODE_LENGTH}
    >
      {(isPending) => (
        <>
          <TextField
            label={label}
            {...(help !== undefined && { help })}
            {...(digits && { inputMode: 'numeric' as const })}
            autoComplete="one-time-code"
            autoFocus
            mono
            value={code}
            onChange={(text) => setCode(digits ? text.replaceAll(/\s/g, '') : text)}
          />
          {left !== null && (
            <Note tone="warn" alert>
              {m.signIn.second.triesLeft(number(left))}
            </Note>
          )}
          <Button type="submit" look="primary" isPending={isPending}>
            {m.signIn.second.submit}
          </Button>
        </>
      )}
    </Form>
  )
}

function EmailButton({ tempToken }: { tempToken: string }) {
  const m = useMessages('signIn')
  const { number } = useFormats()
  const [left, setLeft] = useState(0)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  async function send() {
    setError(null)
    try {
      await api.POST('/api/2fa/email/send', { headers: bearer(tempToken) })
      toast(m.signIn.second.sent)
      setLeft(RESEND_SECONDS)
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <>
      <Button isDisabled={left > 0} onPress={() => void send()}>
        {left > 0 ? m.signIn.second.sendAgain(number(left)) : m.signIn.second.send}
      </Button>
      {error !== null && <ProblemNote error={error} />}
    </>
  )
}

function PasskeyWay({ tempToken, send }: { tempToken: string; send: (body: Verification) => Promise<void> }) {
  const m = useMessages('signIn')
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  async function use() {
    setError(null)
    setPending(true)
    try {
      const options = await api.POST('/api/2fa/passkey/options', { headers: bearer(tempToken) })
      const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
      const credential = (await startAuthentication({
        optionsJSON,
      })) as unknown as Schemas['PasskeyAssertion']
      await send({ method: 'passkey', credential })
    } catch (problem) {
      setError(problem)
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <Button look="primary" icon="key" isPending={isPending} onPress={() => void use()}>
        {m.signIn.second.passkey}
      </Button>
      {error instanceof ApiProblem && <ProblemNote error={error} />}
      {error !== null && !(error instanceof ApiProblem) && (
        <Note tone="warn" alert>
          {m.signIn.passkeyFailed}
        </Note>
      )}
    </>
  )
}
