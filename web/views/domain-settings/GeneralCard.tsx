import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { groupsQuery, tagsQuery } from '../../api/queries/zones/domains.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { readTtl, showTtl } from '../../zone/ttl.ts'
import { Button } from '../../ui/page/Button.tsx'
import { ComboBox } from '../../ui/fields/ComboBox.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields, Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { TagsField } from '../../ui/fields/TagsField.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { TtlField } from '../../ui/form-parts/TtlField.tsx'
import { useLeaveGuard } from '../../ui/dialogs/useLeaveGuard.tsx'

export function GeneralCard({ domain, isLocal }: { domain: Schemas['Domain']; isLocal: boolean }) {
  const m = useMessages('domainSettings', 'domains')
  const words = m.domainSettings.general
  const { data: groups = [] } = useQuery(groupsQuery)
  const { data: known = [] } = useQuery(tagsQuery)
  const [groupName, setGroup] = useState(domain.groupName)
  const [tags, setTags] = useState(domain.tags)
  const [notes, setNotes] = useState(domain.notes)
  const [ttl, setTtl] = useState(showTtl(domain.defaultTtl))
  const [interval, setInterval] = useState(
    domain.syncInterval === null ? '' : showTtl(domain.syncInterval * 60),
  )
  const { question, saved } = useLeaveGuard({ groupName, tags, notes, ttl, interval })
  const seconds = readTtl(ttl)
  const every = readTtl(interval)

  async function save() {
    await api.PUT('/api/domains/{id}', {
      path: { id: domain.id },
      body: {
        groupName,
        tags,
        notes,
        ...(seconds !== null && { defaultTtl: seconds }),
        ...(every !== null && !isLocal && { syncInterval: every === 0 ? null : Math.round(every / 60) }),
      },
    })
    saved()
    changed('domain', domain.id)
    toast(m.common.saved)
  }
  return (
    <Card title={words.title}>
      <Form fields={['groupName', 'tags', 'notes', 'defaultTtl', 'syncInterval']} onSubmit={save}>
        {(isPending) => (
          <>
            <Fields>
              <ComboBox
                optional
                label={m.domains.group}
                name="groupName"
                value={groupName}
                onChange={setGroup}
                options={groups.map((name) => ({ id: name, text: name }))}
              />
              <TtlField
                label={words.defaultTtl}
                name="defaultTtl"
                help={words.defaultTtlHelp}
                value={ttl}
                onChange={setTtl}
              />
              {!isLocal && (
                <TtlField
                  optional
                  label={words.syncInterval}
                  name="syncInterval"
                  help={words.syncIntervalHelp}
                  value={interval}
                  onChange={setInterval}
                />
              )}
            </Fields>
            <TagsField
              label={m.domains.columns.tags}
              name="tags"
              known={known}
              values={tags}
              onChange={setTags}
            />
            <TextField
              optional
              label={words.notes}
              name="notes"
              help={words.notesHelp}
              rows={3}
              value={notes}
              onChange={setNotes}
            />
            <FormActions>
              <Button
                type="submit"
                look="primary"
                isPending={isPending}
                isDisabled={seconds === null || seconds === 0 || every === null}
              >
                {m.common.save}
              </Button>
            </FormActions>
            {question}
          </>
        )}
      </Form>
    </Card>
  )
}
