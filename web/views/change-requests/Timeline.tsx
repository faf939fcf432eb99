import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'
import styles from './Timeline.module.css'

interface TimelineProps {
  request: Schemas['ChangeRequest']
  onDone: (answer: Schemas['ChangeRequest']) => void
}

/** What happened to a request, oldest first, and a field for comments. */
export function Timeline({ request: { id, timeline }, onDone }: TimelineProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests.timeline
  const { ago, utc } = useFormats()
  const say = useEntryText()
  const [text, setText] = useState('')
  async function comment() {
    onDone(await api.POST('/api/change-requests/{id}/comments', { path: { id }, body: { text } }))
    setText('')
  }
  return (
    <Card title={words.title}>
      <ol className={styles['timeline']}>
        {timeline.map((entry) => (
          <li key={entry.id}>
            {say(entry)}{' '}
            <time dateTime={entry.at} title={utc(entry.at)} className="muted">
              {ago(entry.at)}
            </time>
            {entry.text !== '' && <p className={styles['text']}>{visible(entry.text)}</p>}
          </li>
        ))}
      </ol>
      <div id={COMMENT}>
        <Form fields={['text']} onSubmit={comment}>
          {(isPending) => (
            <>
              <TextField
                isRequired={false}
                label={words.comment}
                name="text"
                rows={3}
                maxLength={2000}
                value={text}
                onChange={setText}
              />
              <FormActions>
                <Button type="submit" isPending={isPending} isDisabled={text.trim() === ''}>
                  {words.send}
                </Button>
              </FormActions>
            </>
          )}
        </Form>
      </div>
    </Card>
  )
}

function useEntryText(): (entry: Schemas['ChangeRequestEntry']) => string {
  const m = useMessages('changeRequests')
  const words = m.changeRequests.timeline
  const { number } = useFormats()
  return ({ kind, by, revision }) => {
    const said = words[kind]
    return typeof said === 'string' ? said : said(visible(by?.name ?? words.service), number(revision))
  }
}

const COMMENT = 'comment'

/** Focuses the field for a comment. */
export const focusComment = () => document.querySelector<HTMLElement>(`#${COMMENT} textarea`)?.focus()
