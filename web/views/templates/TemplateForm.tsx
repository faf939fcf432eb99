import { useNavigate } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card, LinkButton } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useLeaveGuard } from '../../ui/dialogs/useLeaveGuard.tsx'
import { bodyOf, draftOf, FIELDS_OF } from './draft.ts'
import { RecordRows } from './RecordRows.tsx'
import { VariableRows } from './VariableRows.tsx'

interface FormProps {
  /** Null: a new template. */
  template: Schemas['Template'] | null
  /** Initial values. */
  base: Schemas['Template'] | null
}

/** Form of a template: variables and records. */
export function TemplateForm({ template, base }: FormProps) {
  const m = useMessages('templates')
  const words = m.templates.form
  const navigate = useNavigate()
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const [draft, setDraft] = useState(() => draftOf(base, template !== null))
  const { question, saved } = useLeaveGuard(draft)

  async function save() {
    const body = bodyOf(draft)
    if (template) {
      await api.PUT('/api/templates/{id}', { path: { id: template.id }, body })
      saved()
      changed('template')
      toast(m.templates.saved)
      return
    }
    const made = await api.POST('/api/templates', { body })
    saved()
    changed('template')
    toast(m.templates.saved)
    await navigate({ to: '/templates/$id', params: { id: made.id }, search: {}, replace: true })
  }
  return (
    <Form fields={FIELDS_OF(draft)} onSubmit={save}>
      {(isPending) => (
        <>
          <Card title={m.templates.edit}>
            <TextField
              label={words.name}
              name="name"
              value={draft.name}
              onChange={(name) => setDraft({ ...draft, name })}
              autoComplete="off"
            />
            <TextField
              optional
              label={words.description}
              name="description"
              rows={2}
              value={draft.description}
              onChange={(description) => setDraft({ ...draft, description })}
            />
            {user?.role === 'admin' && (
              <Checkbox isSelected={draft.shared} onChange={(shared) => setDraft({ ...draft, shared })}>
                {words.shared}
              </Checkbox>
            )}
          </Card>
          <Card title={m.templates.variables}>
            <VariableRows
              variables={draft.variables}
              onChange={(variables) => setDraft({ ...draft, variables })}
            />
          </Card>
          <Card title={m.templates.records}>
            <p className="muted">{words.recordsHelp}</p>
            <RecordRows records={draft.records} onChange={(records) => setDraft({ ...draft, records })} />
          </Card>
          <FormActions>
            <Button type="submit" look="primary" isPending={isPending}>
              {words.save}
            </Button>
            <LinkButton to="/templates">{m.common.cancel}</LinkButton>
          </FormActions>
          {question}
        </>
      )}
    </Form>
  )
}
