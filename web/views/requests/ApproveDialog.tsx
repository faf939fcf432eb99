import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { recordTypesQuery } from '../../api/queries/zones/domains.ts'
import { recordsQuery } from '../../api/queries/zones/records.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { isWithin } from '../../zone/patterns.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Facts } from '../../ui/page/Page.tsx'
import { choiceOf, PatternField, patternOfChoice } from '../../ui/form-parts/PatternField.tsx'
import { TermsFields, termsSent, type Terms } from '../../ui/form-parts/TermsFields.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

interface ApproveProps {
  request: Schemas['AssignmentRequest']
  onClose: () => void
}

/** Approves a request, fully or in part, and shows the difference. */
export function ApproveDialog({ request, onClose }: ApproveProps) {
  const m = useMessages('access', 'requests')
  const words = m.requests.decide
  const { data: types = [] } = useQuery(recordTypesQuery)
  const { data: loaded } = useQuery(recordsQuery(request.domainId))
  const names = useMemo(() => loaded?.records.map(({ name }) => name), [loaded])
  const [choice, setChoice] = useState(choiceOf(request.subdomainPattern))
  const [terms, setTerms] = useState<Terms>({
    permission: request.permission,
    recordTypes: null,
    expiresAt: null,
  })
  const pattern = patternOfChoice(choice, request.domainName)
  const isWider = !isWithin(pattern, request.subdomainPattern)
  const less = useLess(request, pattern, terms)

  async function approve() {
    await api.POST('/api/assignments/requests/{id}/approve', {
      path: { id: request.id },
      body: { subdomainPattern: pattern, ...termsSent(terms) },
    })
    changed('assignment')
    toast(words.approved)
    onClose()
  }
  return (
    <Dialog title={words.title(request.username)} onClose={onClose}>
      <Form fields={['subdomainPattern', 'permission', 'recordTypes', 'expiresAt']} onSubmit={approve}>
        {(isPending) => (
          <>
            <Facts
              facts={[
                [
                  words.asked,
                  <>
                    {m.access.permission[request.permission]} <code>{visible(request.host)}</code>
                  </>,
                ],
                [m.requests.reason, visible(request.reason)],
              ]}
            />
            <PatternField
              choice={choice}
              onChange={setChoice}
              domain={request.domainName}
              {...(names && { names })}
            />
            <TermsFields
              terms={terms}
              onChange={setTerms}
              types={types.filter(({ readOnly }) => !readOnly).map(({ type }) => type)}
              atMost={request.permission}
            />
            {isWider ? (
              <Note tone="bad">{words.wider}</Note>
            ) : less.length === 0 ? (
              <Note tone="good">{words.same}</Note>
            ) : (
              <Note tone="warn">
                <strong>{words.less}</strong>
                <ul>
                  {less.map((text) => (
                    <li key={text}>
                      <mark>{text}</mark>
                    </li>
                  ))}
                </ul>
              </Note>
            )}
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending} isDisabled={isWider}>
                {less.length > 0 ? words.approveLess : words.approve}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** What is less than requested. */
function useLess(request: Schemas['AssignmentRequest'], pattern: string, terms: Terms): string[] {
  const m = useMessages('requests')
  const { list, moment } = useFormats()
  const words = m.requests.decide
  const { permission, recordTypes, expiresAt } = termsSent(terms)
  return [
    ...(pattern === request.subdomainPattern ? [] : [words.narrowedNames(request.subdomainPattern, pattern)]),
    ...(permission === request.permission ? [] : [words.narrowedPermission]),
    ...(recordTypes ? [words.narrowedTypes(list(recordTypes))] : []),
    ...(expiresAt === null ? [] : [words.narrowedEnd(moment(expiresAt))]),
  ]
}
