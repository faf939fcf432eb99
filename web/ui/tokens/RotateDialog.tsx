import { useState } from 'react'
import { rotateToken, type Token, type TokenHolder } from '../../api/queries/tokens.ts'
import { Button } from '../page/Button.tsx'
import { DateField } from '../fields/dates/DateField.tsx'
import { Dialog } from '../dialogs/Dialog.tsx'
import { Form, FormActions } from '../fields/Form.tsx'
import { useMessages } from '../language.tsx'
import { visible } from '../visible.ts'

interface RotateProps {
  holder: TokenHolder
  token: Token
  /** Maximum lifetime in days; null: no limit. */
  maxDays: number | null
  onMade: (token: string) => void
  onClose: () => void
}

/** Rotates a token, optionally with a new expiry date. */
export function RotateDialog({ holder, token, maxDays, onMade, onClose }: RotateProps) {
  const m = useMessages('tokens')
  const words = m.tokens
  const [expiresAt, setEnd] = useState(token.expiresAt)
  const submit = async () =>
    onMade(await rotateToken(holder, token.id, expiresAt === token.expiresAt ? {} : { expiresAt }))
  return (
    <Dialog title={words.rotateTitle(visible(token.name))} onClose={onClose}>
      <p>{words.rotateText}</p>
      <Form fields={['expiresAt']} onSubmit={submit}>
        {(isPending) => (
          <>
            <DateField
              optional={maxDays === null}
              withTime
              label={words.form.ends}
              {...(maxDays !== null && { help: words.form.endsAtMost(maxDays) })}
              name="expiresAt"
              value={expiresAt}
              onChange={setEnd}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {words.rotateSubmit}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
