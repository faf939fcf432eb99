import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { templateQuery } from '../../api/queries/templates.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { Apply } from './Apply.tsx'
import { Content } from './Content.tsx'
import { useSaidTemplate } from './said.ts'
import { TemplateForm } from './TemplateForm.tsx'

/** One template: apply, and edit if allowed; `new` creates one, optionally as a copy. */
export function Template() {
  const { id } = useParams({ from: '/inside/templates/$id' })
  return id === 'new' ? <NewTemplate /> : <OneTemplate key={id} id={id} />
}

function NewTemplate() {
  const m = useMessages('templates')
  const { from } = useSearch({ from: '/inside/templates/$id' })
  const say = useSaidTemplate()
  const { data: base, error } = useQuery({ ...templateQuery(from ?? ''), enabled: from !== undefined })
  const isReady = from === undefined || base !== undefined || error !== null
  return (
    <Page title={m.templates.newTitle}>
      {isReady ? <TemplateForm template={null} base={base ? say(base) : null} /> : <Loading />}
    </Page>
  )
}

function OneTemplate({ id }: { id: string }) {
  const m = useMessages('templates')
  const words = m.templates
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const say = useSaidTemplate()
  const { data, error, refetch } = useQuery(templateQuery(id))
  const [isDeleting, setDeleting] = useState(false)
  if (!data)
    return (
      <Page title={words.edit}>
        {error ? <ProblemNote error={error} retry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  const template = say(data)
  const mayEdit =
    !template.builtIn && (template.ownerId === user?.id || (template.shared && user?.role === 'admin'))
  return (
    <Page
      title={visible(template.name)}
      about={visible(template.description)}
      actions={
        <>
          <LinkButton to="/templates/$id" params={{ id: 'new' }} search={{ from: id }} icon="copy">
            {words.copy}
          </LinkButton>
          {mayEdit && (
            <Button look="danger" icon="trash" onPress={() => setDeleting(true)}>
              {words.delete}
            </Button>
          )}
        </>
      }
    >
      <Apply template={template} />
      {mayEdit ? (
        <TemplateForm key={template.updatedAt} template={template} base={template} />
      ) : (
        <Content template={template} />
      )}
      {isDeleting && <DeleteDialog template={template} onClose={() => setDeleting(false)} />}
    </Page>
  )
}

function DeleteDialog({ template, onClose }: { template: Schemas['Template']; onClose: () => void }) {
  const m = useMessages('templates')
  const words = m.templates
  const navigate = useNavigate()
  return (
    <Confirm
      title={words.deleteTitle(template.name)}
      action={words.delete}
      onConfirm={async () => {
        await api.DELETE('/api/templates/{id}', { path: { id: template.id } })
        changed('template')
        toast(words.deleted)
      }}
      onClose={(isDone) => {
        onClose()
        if (isDone) void navigate({ to: '/templates', ignoreBlocker: true })
      }}
    >
      <p>{words.deleteText}</p>
    </Confirm>
  )
}
