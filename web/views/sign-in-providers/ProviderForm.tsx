import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { callbackUrlQuery } from '../../api/queries/sign-in-providers.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Switch } from '../../ui/fields/Choice.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { Addresses } from './Addresses.tsx'
import { MoreFields } from './MoreFields.tsx'
import { ADDRESSES, FIELDS, NEEDED, sentOf, startOf, type Values } from './values.ts'

export interface Edited {
  providerId: Schemas['OAuthProviderId']
  name: string
  /** Null: a new one. */
  config: Schemas['OAuthProviderConfig'] | null
}

const FOLDED = ['name', 'scope', 'tokenAuthMethod', ...ADDRESSES]

/** Sets up or edits an identity provider; the secret is write-only. */
export function ProviderForm({ edited, onClose }: { edited: Edited; onClose: () => void }) {
  const m = useMessages('signInProviders')
  const words = m.signInProviders
  const { providerId, name, config } = edited
  const { data: addresses } = useQuery(callbackUrlQuery(providerId))
  const [values, setValues] = useState(() => startOf(config))
  const [isMore, setMore] = useState(false)
  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }))
  // Errors of hidden fields appear above the form.
  const fields = [
    'clientId',
    'clientSecret',
    ...(NEEDED[providerId] ?? []),
    ...FIELDS.map((field) => `fields.${field}`),
    ...(isMore ? FOLDED : []),
  ]
  async function submit() {
    const body = sentOf(values, providerId === 'custom')
    await (config
      ? api.PUT('/api/oauth/providers/{id}', { path: { id: config.id }, body })
      : api.POST('/api/oauth/providers', { body: { ...body, providerId } }))
    changed('sign-in-provider')
    toast(words.saved)
    onClose()
  }
  return (
    <Dialog wide title={config ? words.change(visible(name)) : words.setUp(name)} onClose={onClose}>
      {addresses && <Addresses {...addresses} />}
      <Form fields={fields} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              mono
              optional={config !== null}
              label={words.form.clientId}
              name="clientId"
              {...(config && { help: words.form.clientIdKept(config.clientIdMasked) })}
              autoComplete="off"
              value={values.clientId}
              onChange={(clientId) => set({ clientId })}
            />
            <TextField
              optional={config !== null}
              label={words.form.clientSecret}
              name="clientSecret"
              type="password"
              help={config ? words.form.secretKept : words.form.secretHelp}
              autoComplete="new-password"
              value={values.clientSecret}
              onChange={(clientSecret) => set({ clientSecret })}
            />
            <MoreFields
              providerId={providerId}
              values={values}
              onChange={set}
              isOpen={isMore}
              onOpen={setMore}
            />
            <Switch isSelected={values.enabled} onChange={(enabled) => set({ enabled })}>
              {words.form.enabled}
            </Switch>
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {m.common.save}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
