import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { zonesAsked } from '../../api/problems.ts'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useCatalogue } from '../../ui/catalogue.ts'
import { toast } from '../../ui/feedback/Toast.tsx'
import { Checkbox, Select } from '../../ui/fields/Choice.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { ZoneField } from '../../ui/form-parts/ZoneField.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar, LinkButton } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'

interface AddProps {
  domain: Schemas['Domain']
  mirrors: readonly Schemas['Mirror'][]
  /** The connection that is proposed. */
  proposed?: string | undefined
  onAdded: (mirror: Schemas['Mirror']) => void
  onCancel?: () => void
}

/** Adds a mirror at one of the user's other connections. */
export function AddMirror({ domain, mirrors, proposed, onAdded, onCancel }: AddProps) {
  const m = useMessages('mirrors')
  const words = m.mirrors
  const { data: configs = [] } = useQuery(providerConfigsQuery)
  const { data: catalogue = [] } = useCatalogue()
  const [wanted, setWanted] = useState(proposed)
  const [createZone, setCreateZone] = useState(false)
  /** Zones of the name at the connection, if there are several. */
  const [several, setSeveral] = useState<readonly string[]>([])
  const [zoneId, setZoneId] = useState('')
  const taken = new Set([domain.providerConfigId, ...mirrors.map(({ providerConfigId }) => providerConfigId)])
  const kindOf = ({ providerId }: Schemas['ProviderConfig']) => catalogue.find(({ id }) => id === providerId)
  const others = configs.filter(
    (config) => !taken.has(config.id) && kindOf(config)?.capabilities.truth !== 'local',
  )
  const target = others.find(({ id }) => id === wanted) ?? others[0]
  if (!target)
    return (
      <>
        <p>{words.noOther}</p>
        <Bar>
          <LinkButton to="/providers">{words.connect}</LinkButton>
        </Bar>
      </>
    )
  const kind = kindOf(target)
  const canCreate = kind?.capabilities.createZone === true

  async function add(config: Schemas['ProviderConfig']) {
    const body = {
      providerConfigId: config.id,
      createZone: createZone && canCreate,
      ...(zoneId !== '' && { zoneId }),
    }
    const added = await api
      .POST('/api/domains/{id}/mirrors', { path: { id: domain.id }, body })
      .catch((error: unknown) => {
        setSeveral(zonesAsked(error) ?? several)
        throw error
      })
    toast(words.added(visible(config.name)))
    changed('domain', domain.id)
    onAdded(added)
  }
  return (
    <Form fields={['providerConfigId', 'zoneId']} onSubmit={() => add(target)}>
      {(isPending) => (
        <>
          <Select
            label={words.connection}
            name="providerConfigId"
            value={target.id}
            onChange={(id) => {
              setWanted(id)
              setSeveral([])
              setZoneId('')
            }}
            options={others.map((config) => ({
              id: config.id,
              text: visible(config.name),
              note: kindOf(config)?.name ?? '',
            }))}
          />
          {several.length > 0 && (
            <ZoneField configId={target.id} ids={several} value={zoneId} onChange={setZoneId} />
          )}
          {canCreate && (
            <Checkbox isSelected={createZone} onChange={setCreateZone}>
              {words.createZone}
            </Checkbox>
          )}
          <FormActions>
            <Button type="submit" look="primary" isPending={isPending}>
              {words.add}
            </Button>
            {onCancel && <Button onPress={onCancel}>{m.common.cancel}</Button>}
          </FormActions>
        </>
      )}
    </Form>
  )
}
