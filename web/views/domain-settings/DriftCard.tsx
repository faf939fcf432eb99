import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

const POLICIES = ['adopt', 'alert', 'enforce'] as const

/** What automatic syncs do with changes made at the DNS provider. */
export function DriftCard({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.drift
  const [driftPolicy, setPolicy] = useState(domain.driftPolicy)
  async function save() {
    await api.PUT('/api/domains/{id}', { path: { id: domain.id }, body: { driftPolicy } })
    changed('domain', domain.id)
    toast(m.common.saved)
  }
  return (
    <Card title={words.title}>
      {domain.syncInterval === null && <Note tone="info">{words.noSync}</Note>}
      <Form fields={['driftPolicy']} onSubmit={save}>
        {(isPending) => (
          <>
            <RadioGroup
              label={words.label}
              name="driftPolicy"
              value={driftPolicy}
              onChange={setPolicy}
              options={POLICIES.map((id) => ({ id, ...words.policies[id] }))}
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
