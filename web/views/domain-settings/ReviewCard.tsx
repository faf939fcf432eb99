import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { CheckboxGroup } from '../../ui/fields/CheckboxGroup.tsx'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

const POLICIES = ['none', 'members', 'everyone'] as const
const PROTOCOLS = ['ddns', 'acme', 'external-dns', 'powerdns-api', 'dns-update'] as const

/** Whose changes need the approval of a second person, and the protocols that are exempt. */
export function ReviewCard({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.review
  const [reviewPolicy, setPolicy] = useState(domain.reviewPolicy)
  const [reviewExempt, setExempt] = useState<Schemas['ReviewExemption'][]>(domain.reviewExempt)
  async function save() {
    await api.PUT('/api/domains/{id}', { path: { id: domain.id }, body: { reviewPolicy, reviewExempt } })
    changed('domain', domain.id)
    toast(m.common.saved)
  }
  return (
    <Card title={words.title}>
      <Form fields={['reviewPolicy', 'reviewExempt']} onSubmit={save}>
        {(isPending) => (
          <>
            <RadioGroup
              label={words.policy}
              help={words.help}
              name="reviewPolicy"
              value={reviewPolicy}
              onChange={setPolicy}
              options={POLICIES.map((id) => ({ id, ...words.policies[id] }))}
            />
            {reviewPolicy !== 'none' && (
              <CheckboxGroup
                label={words.exempt}
                help={words.exemptHelp}
                name="reviewExempt"
                value={reviewExempt}
                onChange={setExempt}
                options={PROTOCOLS.map((id) => ({ id, text: words.protocols[id] }))}
              />
            )}
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
