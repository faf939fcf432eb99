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

interface Props<Name extends 'driftPolicy' | 'verify'> {
  domain: Schemas['Domain']
  /** The setting of the domain. */
  name: Name
  words: { title: string; label: string }
  options: { id: Schemas['Domain'][Name]; text: string; note: string }[]
  note?: string | undefined
}

/** One setting of a domain, of which one of a few values is chosen. */
function ChoiceCard<Name extends 'driftPolicy' | 'verify'>({
  domain,
  name,
  words,
  options,
  note,
}: Props<Name>) {
  const m = useMessages('domainSettings')
  const [value, setValue] = useState(domain[name])
  async function save() {
    await api.PUT('/api/domains/{id}', { path: { id: domain.id }, body: { [name]: value } })
    changed('domain', domain.id)
    toast(m.common.saved)
  }
  return (
    <Card title={words.title}>
      {note !== undefined && <Note tone="info">{note}</Note>}
      <Form fields={[name]} onSubmit={save}>
        {(isPending) => (
          <>
            <RadioGroup label={words.label} name={name} value={value} onChange={setValue} options={options} />
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

const MODES = ['off', 'warn', 'require'] as const

/** Whether the name servers are asked after each change. */
export function VerifyCard({ domain }: { domain: Schemas['Domain'] }) {
  const words = useMessages('domainSettings').domainSettings.verify
  const options = MODES.map((id) => ({ id, ...words.modes[id] }))
  return <ChoiceCard domain={domain} name="verify" words={words} options={options} />
}

const POLICIES = ['adopt', 'alert', 'enforce'] as const

/** What automatic syncs do with changes made at the DNS provider. */
export function DriftCard({ domain }: { domain: Schemas['Domain'] }) {
  const words = useMessages('domainSettings').domainSettings.drift
  const options = POLICIES.map((id) => ({ id, ...words.policies[id] }))
  const note = domain.syncInterval === null ? words.noSync : undefined
  return <ChoiceCard domain={domain} name="driftPolicy" words={words} options={options} note={note} />
}
