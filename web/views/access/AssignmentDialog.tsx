import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { recordTypesQuery } from '../../api/queries/zones/domains.ts'
import { recordsQuery } from '../../api/queries/zones/records.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { choiceOf, PatternField, patternOfChoice } from '../../ui/form-parts/PatternField.tsx'
import { TermsFields, termsSent, type Terms } from '../../ui/form-parts/TermsFields.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { UserField } from '../../ui/form-parts/UserField.tsx'

/** Initial values of a new permission. */
export interface Wish {
  username?: string
  pattern?: string
  recordTypes?: string[]
}

interface DialogProps {
  domain: { id: string; name: string }
  /** The permission to edit; its user and names stay. */
  assignment?: Schemas['Assignment']
  wish?: Wish
  onClose: () => void
}

/** Grants access to names of a domain, or edits a permission. */
export function AssignmentDialog({ domain, assignment, wish, onClose }: DialogProps) {
  const m = useMessages('access')
  const words = m.access.form
  const { data: types = [] } = useQuery(recordTypesQuery)
  const { data: loaded } = useQuery({ ...recordsQuery(domain.id), enabled: !assignment })
  const names = useMemo(() => loaded?.records.map(({ name }) => name), [loaded])
  const [username, setUsername] = useState(wish?.username ?? '')
  const [choice, setChoice] = useState(choiceOf(wish?.pattern ?? '*'))
  const [terms, setTerms] = useState<Terms>({
    permission: assignment?.permission ?? 'write',
    recordTypes: assignment?.recordTypes ?? wish?.recordTypes ?? null,
    expiresAt: assignment?.expiresAt ?? null,
  })
  async function save() {
    if (assignment) {
      const params = { path: { id: assignment.id } }
      await api.PUT('/api/assignments/{id}', { ...params, body: termsSent(terms) })
    } else {
      await api.POST('/api/assignments', {
        body: {
          username: username.trim(),
          domainId: domain.id,
          subdomainPattern: patternOfChoice(choice, domain.name),
          ...termsSent(terms),
        },
      })
    }
    changed('assignment')
    toast(assignment ? words.changed : words.saved)
    onClose()
  }
  return (
    <Dialog
      title={assignment ? words.edit(assignment.username, assignment.host) : words.title(domain.name)}
      onClose={onClose}
    >
      <Form
        fields={['username', 'subdomainPattern', 'permission', 'recordTypes', 'expiresAt']}
        onSubmit={save}
      >
        {(isPending) => (
          <>
            {!assignment && (
              <>
                <UserField value={username} onChange={setUsername} />
                <PatternField
                  choice={choice}
                  onChange={setChoice}
                  domain={domain.name}
                  {...(names && { names })}
                />
              </>
            )}
            <TermsFields
              terms={terms}
              onChange={setTerms}
              types={types.filter(({ readOnly }) => !readOnly).map(({ type }) => type)}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {assignment ? m.common.save : words.save}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
