import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { groupsQuery, tagsQuery } from '../../api/queries/zones/domains.ts'
import type { ConsoleApi, Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Switch } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Card, LinkButton } from '../../ui/page/Page.tsx'
import { schemaFieldsOf, sentValues, startValues } from '../../ui/form-parts/schema-fields.ts'
import { SchemaFields } from '../../ui/form-parts/SchemaFields.tsx'
import { TagsField } from '../../ui/fields/TagsField.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useLeaveGuard } from '../../ui/dialogs/useLeaveGuard.tsx'
import { EventFields } from './EventFields.tsx'

type Catalogue = ConsoleApi['/api/notifications/channels']['GET']['answer']
export type ChannelKind = Catalogue['channels'][number]
type NewBody = ConsoleApi['/api/notifications']['POST']['body']

interface FormProps {
  kind: ChannelKind
  events: Catalogue['events']
  /** Null: a new channel. */
  channel: Schemas['Channel'] | null
}

/** Destination, events and domains of a channel. */
export function ChannelForm({ kind, events, channel }: FormProps) {
  const m = useMessages('channels')
  const words = m.channels.form
  const navigate = useNavigate()
  const fields = schemaFieldsOf(kind.configSchema)
  const stored = channel ? (channel.config as Record<string, unknown>) : null
  const { data: groups = [] } = useQuery(groupsQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const [name, setName] = useState(channel?.name ?? kind.name)
  const [enabled, setEnabled] = useState(channel?.enabled ?? true)
  const [values, setValues] = useState(() => startValues(fields, stored))
  const [chosen, setChosen] = useState(channel?.events ?? [])
  const [domains, setDomains] = useState(channel?.domains ?? { groups: [], tags: [] })
  const { question, saved } = useLeaveGuard({ name, enabled, values, chosen, domains })

  async function save() {
    // Matches the schema of its kind.
    const body = { name, enabled, events: chosen, domains, config: sentValues(fields, values, stored) }
    if (channel) {
      const params = { path: { id: channel.id } }
      await api.PUT('/api/notifications/configs/{id}', { ...params, body })
      saved()
      changed('channel')
      toast(words.saved)
      return
    }
    const made = await api.POST('/api/notifications', { body: { ...body, channel: kind.channel } as NewBody })
    saved()
    changed('channel')
    toast(words.saved)
    await navigate({ to: '/channels/$id', params: { id: made.id }, search: {}, replace: true })
  }
  return (
    <Form
      fields={['name', 'events', ...fields.map((field) => `config.${field.name}`), 'domains']}
      onSubmit={save}
    >
      {(isPending) => (
        <>
          <Card title={words.where}>
            <TextField label={words.name} name="name" value={name} onChange={setName} autoComplete="off" />
            <SchemaFields
              fields={fields}
              owner={kind.channel}
              prefix="config"
              values={values}
              onChange={setValues}
              stored={stored}
            />
            <Switch isSelected={enabled} onChange={setEnabled}>
              {words.enabled}
            </Switch>
          </Card>
          <Card title={words.what}>
            <EventFields events={events} chosen={chosen} onChange={setChosen} />
          </Card>
          <Card title={words.which}>
            <p className="muted">{words.whichHelp}</p>
            <TagsField
              label={words.groups}
              values={domains.groups}
              known={groups}
              onChange={(given) => setDomains({ ...domains, groups: given })}
            />
            <TagsField
              label={words.tags}
              values={domains.tags}
              known={tags}
              onChange={(given) => setDomains({ ...domains, tags: given })}
            />
          </Card>
          {chosen.length === 0 && <Note>{words.noEvents}</Note>}
          <FormActions>
            <Button type="submit" look="primary" isPending={isPending} isDisabled={chosen.length === 0}>
              {words.save}
            </Button>
            {!channel && <LinkButton to="/channels">{m.common.cancel}</LinkButton>}
          </FormActions>
          {question}
        </>
      )}
    </Form>
  )
}
