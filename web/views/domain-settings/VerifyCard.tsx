import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

const MODES = ['off', 'warn', 'require'] as const

/** Whether the name servers are asked after each change. */
export function VerifyCard({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.verify
  const [verify, setVerify] = useState(domain.verify)
  async function save() {
    await api.PUT('/api/domains/{id}', { path: { id: domain.id }, body: { verify } })
    changed('domain', domain.id)
    toast(m.common.saved)
  }
  return (
    <Card title={words.title}>
      <Form fields={['verify']} onSubmit={save}>
        {(isPending) => (
          <>
            <RadioGroup
              label={words.label}
              name="verify"
              value={verify}
              onChange={setVerify}
              options={MODES.map((id) => ({ id, ...words.modes[id] }))}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {m.common.save}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Card>
  )
}
