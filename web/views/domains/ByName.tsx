import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { zonesAsked } from '../../api/problems.ts'
import { groupsQuery, tagsQuery } from '../../api/queries/zones/domains.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox, Switch } from '../../ui/fields/Choice.tsx'
import { ComboBox } from '../../ui/fields/ComboBox.tsx'
import { DateField } from '../../ui/fields/dates/DateField.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { TagsField } from '../../ui/fields/TagsField.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useSettled } from '../../ui/hooks/useSettled.ts'
import { visible } from '../../ui/visible.ts'
import { ZoneField } from '../../ui/form-parts/ZoneField.tsx'

/** Delay before the registry is asked, in milliseconds. */
const TYPING_MS = 900
const NAME = /^[^\s.]+(\.[^\s.]+)*\.[^\s.]{2,}\.?$/

interface ByNameProps {
  config: Schemas['ProviderConfig']
  can: { createZone: boolean; truth: 'provider' | 'local' }
}

/** Adds a domain by name; looks up its expiry while typing. */
export function ByName({ config, can }: ByNameProps) {
  const m = useMessages('addDomains', 'domains')
  const words = m.addDomains.byName
  const navigate = useNavigate()
  const { data: groups = [] } = useQuery(groupsQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const [name, setName] = useState('')
  const [createZone, setCreateZone] = useState(false)
  /** Zones of this name, if the provider has several. */
  const [zones, setZones] = useState<{ name: string; ids: string[] } | null>(null)
  const [zoneId, setZoneId] = useState('')
  const isSeveral = zones !== null && zones.name === name.trim()
  const [typedDate, setTypedDate] = useState<string | null | undefined>()
  const [groupName, setGroupName] = useState('')
  const [chosenTags, setTags] = useState<string[]>([])
  const [autoCheckExpiry, setAutoCheck] = useState(true)
  const asked = useSettled(name.trim(), TYPING_MS)
  const lookup = useQuery({
    queryKey: ['expiry-preview', asked],
    queryFn: ({ signal }) =>
      api.POST('/api/domains/check-expiry-preview', { body: { domain: asked }, signal }),
    enabled: NAME.test(asked),
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
  const expiresAt = typedDate === undefined ? (lookup.data?.expiresAt ?? null) : typedDate

  async function add() {
    const domain = await api
      .POST('/api/domains', {
        body: {
          name: name.trim(),
          providerConfigId: config.id,
          expiresAt,
          groupName,
          tags: chosenTags,
          autoCheckExpiry,
          ...(createZone && { createZone }),
          ...(isSeveral && zoneId !== '' && { zoneId }),
        },
      })
      .catch((error: unknown) => {
        const ids = zonesAsked(error)
        if (ids) setZones({ name: name.trim(), ids })
        throw error
      })
    const { id } = domain
    changed('domain')
    changed('provider')
    toast(words.added(visible(domain.unicodeName)))
    await navigate({ to: '/domains/$id/records', params: { id } })
  }
  return (
    <Card title={words.title}>
      <Form fields={['name', 'zoneId', 'expiresAt', 'groupName', 'tags']} onSubmit={add}>
        {(isPending) => (
          <>
            <TextField
              label={words.name}
              name="name"
              help={<NameHelp name={name} lookup={lookup} />}
              value={name}
              onChange={setName}
              autoComplete="off"
              inputMode="url"
              mono
            />
            {isSeveral && (
              <ZoneField configId={config.id} ids={zones.ids} value={zoneId} onChange={setZoneId} />
            )}
            {can.truth === 'provider' &&
              (can.createZone ? (
                <Checkbox isSelected={createZone} onChange={setCreateZone}>
                  {words.createZone}
                </Checkbox>
              ) : (
                <p className="muted">{words.cannotCreate}</p>
              ))}
            <DateField
              optional
              label={words.expiresAt}
              name="expiresAt"
              value={expiresAt}
              onChange={setTypedDate}
            />
            <Switch isSelected={autoCheckExpiry} onChange={setAutoCheck}>
              {m.domains.lookUp}
            </Switch>
            <ComboBox
              optional
              label={m.domains.group}
              name="groupName"
              value={groupName}
              onChange={setGroupName}
              options={groups.map((one) => ({ id: one, text: one }))}
            />
            <TagsField
              label={m.domains.columns.tags}
              name="tags"
              known={tags}
              values={chosenTags}
              onChange={setTags}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending} isDisabled={name.trim() === ''}>
                {words.submit}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Card>
  )
}

interface Lookup {
  data: Schemas['ExpiryLookup'] | undefined
  isFetching: boolean
  error: unknown
}

/** The registry's answer for the typed name. */
function NameHelp({ name, lookup: { data: found, isFetching, error } }: { name: string; lookup: Lookup }) {
  const m = useMessages('addDomains')
  const { day } = useFormats()
  const words = m.addDomains.byName
  const says = () => {
    if (isFetching) return words.looking
    if (error !== null && name !== '') return words.tooOften
    if (!found || name === '') return words.nameHelp
    if (found.expiresAt === null) return words.notFound
    return words.found(day(found.expiresAt), found.registrar && visible(found.registrar))
  }
  return <span role="status">{says()}</span>
}
