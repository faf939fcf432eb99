import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { Button } from '../page/Button.tsx'
import { RadioGroup } from '../fields/Choice.tsx'
import { TextField } from '../fields/Field.tsx'
import { Form, FormActions } from '../fields/Form.tsx'
import { useFormats, useMessages } from '../language.tsx'
import { Note } from '../feedback/Note.tsx'
import { toast } from '../feedback/Toast.tsx'
import type { Later } from './later.ts'
import { hasAllRights, type Emergency, type Wanted } from './review.ts'

interface RequestProps {
  domainId: string
  /** Each becomes a request. */
  wanted: readonly Wanted[]
  /** There is nothing that can be requested. */
  isDisabled?: boolean
  /** When it is applied once approved, and whether it has to be confirmed. */
  later?: Later
  /** Applies without review; for owner and administrators. */
  bypass: (emergency: Emergency) => Promise<unknown>
  /** The requests are made; the page of the last one opens. */
  onRequested?: (() => void) | undefined
}

/** Requests the review that the domain requires, or applies in an emergency. */
export function ReviewRequest({
  domainId,
  wanted,
  isDisabled = false,
  later,
  bypass,
  onRequested,
}: RequestProps) {
  const m = useMessages('reviewRequest')
  const words = m.reviewRequest
  const { number } = useFormats()
  const navigate = useNavigate()
  const { data: domain } = useQuery(domainQuery(domainId))
  const [way, setWay] = useState<'request' | 'emergency'>('request')
  const [title, setTitle] = useState('')
  const [reason, setReason] = useState('')
  const isEmergency = way === 'emergency'
  const lacks = isEmergency ? reason.trim() === '' : title.trim() === ''

  async function request() {
    let id = ''
    for (const [at, one] of wanted.entries()) {
      const many = wanted.length > 1
      const name = many ? words.part(title, number(at + 1), number(wanted.length)) : title
      const body = { title: name, ...(reason.trim() !== '' && { reason }), ...later, ...one }
      id = (await api.POST('/api/domains/{id}/change-requests', { path: { id: domainId }, body })).id
    }
    changed('change_request', domainId)
    onRequested?.()
    toast(words.sent)
    void navigate({ to: '/change-requests/$id', params: { id } })
  }
  return (
    <>
      <Note tone="info">{words.about}</Note>
      <Form
        fields={['title', 'reason']}
        onSubmit={() => (isEmergency ? bypass({ emergency: true, reason }) : request())}
      >
        {(isPending) => (
          <>
            {domain && hasAllRights(domain) && (
              <RadioGroup
                label={words.how}
                value={way}
                onChange={setWay}
                options={[
                  { id: 'request', text: words.ways.request },
                  { id: 'emergency', text: words.ways.emergency },
                ]}
              />
            )}
            {isEmergency ? (
              <Note tone="warn">{words.emergencyAbout}</Note>
            ) : (
              <TextField
                label={words.title}
                name="title"
                help={words.titleHelp}
                maxLength={180}
                value={title}
                onChange={setTitle}
              />
            )}
            <TextField
              key={way}
              optional={!isEmergency}
              label={words.reason}
              name="reason"
              help={words.reasonHelp}
              rows={2}
              maxLength={1000}
              value={reason}
              onChange={setReason}
            />
            <FormActions>
              <Button
                type="submit"
                look={isEmergency ? 'danger' : 'primary'}
                isPending={isPending}
                isDisabled={isDisabled || lacks}
              >
                {isEmergency ? words.apply : words.send}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </>
  )
}
