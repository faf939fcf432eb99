import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { domainsQuery } from '../../api/queries/zones/domains.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { ComboBox } from '../../ui/fields/ComboBox.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { choiceOf, PatternField, patternOfChoice } from '../../ui/form-parts/PatternField.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

interface AskProps {
  /** Initial values. */
  domain: string
  pattern: string
  onClose: () => void
}

/** Requests access to a domain, which the requester need not see. */
export function AskDialog({ domain: wanted, pattern, onClose }: AskProps) {
  const m = useMessages('access', 'requests')
  const words = m.requests.form
  const { data: known } = useQuery(domainsQuery({ limit: 100 }))
  const [domain, setDomain] = useState(wanted)
  const [choice, setChoice] = useState(choiceOf(pattern))
  const [permission, setPermission] = useState<Schemas['AssignmentPermission']>('write')
  const [reason, setReason] = useState('')
  const name = domain.trim().toLowerCase().replace(/\.$/, '')
  async function send() {
    await api.POST('/api/assignments/requests', {
      body: { domain: name, subdomainPattern: patternOfChoice(choice, name), permission, reason },
    })
    changed('assignment')
    toast(words.sent)
    onClose()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form fields={['domain', 'subdomainPattern', 'permission', 'reason']} onSubmit={send}>
        {(isPending) => (
          <>
            <ComboBox
              label={words.domain}
              name="domain"
              help={words.domainHelp}
              value={domain}
              onChange={setDomain}
              options={(known?.domains ?? []).map((one) => ({ id: one.id, text: one.name }))}
              mono
            />
            <PatternField choice={choice} onChange={setChoice} domain={name} />
            <RadioGroup
              label={words.permission}
              name="permission"
              value={permission}
              onChange={setPermission}
              options={[
                { id: 'read', text: m.access.form.read },
                { id: 'write', text: m.access.form.write },
              ]}
            />
            <TextField
              label={words.reason}
              name="reason"
              help={words.reasonHelp}
              rows={3}
              value={reason}
              onChange={setReason}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {words.send}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
