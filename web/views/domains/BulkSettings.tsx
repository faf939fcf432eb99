import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { groupsQuery, tagsQuery } from '../../api/queries/zones/domains.ts'
import type { ConsoleApi, Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Switch } from '../../ui/fields/Choice.tsx'
import { ComboBox } from '../../ui/fields/ComboBox.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { RemindersField } from '../../ui/form-parts/RemindersField.tsx'
import { TagsField } from '../../ui/fields/TagsField.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

type Settings = ConsoleApi['/api/domains/bulk']['PUT']['body']['set']

/** Domains per call. */
const MAX_IDS = 200

/** Changes selected settings of many domains. */
export function BulkSettings({
  domains,
  onClose,
}: {
  domains: readonly Schemas['DomainListItem'][]
  onClose: () => void
}) {
  const m = useMessages('domains')
  const words = m.domains.bulk
  const { data: groups = [] } = useQuery(groupsQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const [set, setSet] = useState<Settings>({})
  const has = (name: keyof Settings) => set[name] !== undefined
  const toggle = (name: keyof Settings, first: Settings) => (on: boolean) => {
    const { [name]: _dropped, ...others } = set
    setSet(on ? { ...set, ...first } : others)
  }

  async function save() {
    const ids = domains.map(({ id }) => id)
    for (let at = 0; at < ids.length; at += MAX_IDS)
      await api.PUT('/api/domains/bulk', { body: { ids: ids.slice(at, at + MAX_IDS), set } })
    changed('domain')
    toast(words.saved(ids.length))
    onClose()
  }
  return (
    <Dialog title={words.title(domains.length)} onClose={onClose}>
      <p>{words.about}</p>
      <Form fields={[]} onSubmit={save}>
        {(isPending) => (
          <>
            <Switch isSelected={has('groupName')} onChange={toggle('groupName', { groupName: '' })}>
              {words.setGroup}
            </Switch>
            {set.groupName !== undefined && (
              <ComboBox
                optional
                label={m.domains.group}
                help={words.groupHelp}
                value={set.groupName}
                onChange={(groupName) => setSet({ ...set, groupName })}
                options={groups.map((name) => ({ id: name, text: name }))}
              />
            )}
            <TagsField
              label={words.addTags}
              known={tags}
              values={set.addTags ?? []}
              onChange={(addTags) => toggle('addTags', { addTags })(addTags.length > 0)}
            />
            <TagsField
              label={words.removeTags}
              known={[...new Set(domains.flatMap((domain) => domain.tags))]}
              values={set.removeTags ?? []}
              onChange={(removeTags) => toggle('removeTags', { removeTags })(removeTags.length > 0)}
            />
            <Switch
              isSelected={has('expiryRemindDays')}
              onChange={toggle('expiryRemindDays', { expiryRemindDays: [30, 7, 1] })}
            >
              {words.setReminders}
            </Switch>
            {set.expiryRemindDays && (
              <RemindersField
                days={set.expiryRemindDays}
                onChange={(expiryRemindDays) => setSet({ ...set, expiryRemindDays })}
              />
            )}
            <Switch
              isSelected={has('autoCheckExpiry')}
              onChange={toggle('autoCheckExpiry', { autoCheckExpiry: true })}
            >
              {words.setLookUp}
            </Switch>
            {set.autoCheckExpiry !== undefined && (
              <Switch
                isSelected={set.autoCheckExpiry}
                onChange={(autoCheckExpiry) => setSet({ ...set, autoCheckExpiry })}
              >
                {m.domains.lookUp}
              </Switch>
            )}
            <FormActions>
              <Button
                type="submit"
                look="primary"
                isPending={isPending}
                isDisabled={Object.keys(set).length === 0}
              >
                {words.save(domains.length)}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
