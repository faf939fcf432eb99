import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback, useState } from 'react'
import { providerConfigsQuery } from '../../api/queries/providers.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useCatalogue } from '../../ui/catalogue.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox, RadioGroup, Select } from '../../ui/fields/Choice.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card, LinkButton } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'
import { ZoneField } from '../../ui/form-parts/ZoneField.tsx'
import { CopyDialog, SwitchDialog } from './late-dialogs.ts'

/** Move to another provider: copy, compare, switch, update the registrar. */
export function MoveCard({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('addDomains', 'domainSettings')
  const words = m.domainSettings.move
  const { data: configs = [] } = useQuery(providerConfigsQuery)
  const { data: catalogue = [] } = useCatalogue()
  const [wanted, setWanted] = useState<string | null>(null)
  const [createZone, setCreateZone] = useState(false)
  const [skipRefused, setSkipRefused] = useState(false)
  const [mode, setMode] = useState<Schemas['CopyMode']>('merge')
  const [open, setOpen] = useState<'copy' | 'switch' | null>(null)
  /** Zones of the name at the target, if there are several. */
  const [several, setSeveral] = useState<readonly string[]>([])
  const [zoneId, setZoneId] = useState('')
  const [failed, setFailed] = useState<readonly Schemas['FailedCopy'][]>([])
  const askWhich = useCallback((ids: string[]) => {
    setSeveral(ids)
    setOpen(null)
  }, [])
  const others = configs.filter(({ id }) => id !== domain.providerConfigId)
  const target = others.find(({ id }) => id === wanted) ?? others[0]
  const kind = catalogue.find(({ id }) => id === target?.providerId)
  const isLocal = kind?.capabilities.truth === 'local'
  const lacksZone = several.length > 0 && zoneId === ''
  if (!target)
    return (
      <Card title={words.title}>
        <p>{words.noOther}</p>
        <Bar>
          <LinkButton to="/providers">{m.addDomains.connect}</LinkButton>
        </Bar>
      </Card>
    )
  return (
    <Card
      title={words.title}
      actions={
        <LinkButton to="/domains/$id/mirrors/move" params={{ id: domain.id }} icon="swap">
          {words.guided}
        </LinkButton>
      }
    >
      <p className="muted">{words.about}</p>
      <Select
        label={words.target}
        value={target.id}
        onChange={(id) => {
          setWanted(id)
          setSeveral([])
          setZoneId('')
        }}
        options={others.map(({ id, name, providerId }) => ({
          id,
          text: visible(name),
          note: catalogue.find((one) => one.id === providerId)?.name ?? '',
        }))}
      />
      {several.length > 0 && (
        <ZoneField configId={target.id} ids={several} value={zoneId} onChange={setZoneId} />
      )}
      {isLocal ? (
        <p>{words.toLocal}</p>
      ) : (
        <>
          {kind?.capabilities.createZone === true && (
            <Checkbox isSelected={createZone} onChange={setCreateZone}>
              {words.createZone}
            </Checkbox>
          )}
          <Checkbox isSelected={skipRefused} onChange={setSkipRefused}>
            {words.skipRefused}
          </Checkbox>
          <RadioGroup
            label={words.mode}
            value={mode}
            onChange={setMode}
            options={[
              { id: 'merge', text: words.modes.merge },
              { id: 'replace', text: words.modes.replace },
            ]}
          />
        </>
      )}
      {failed.length > 0 && (
        <Note tone="bad" alert>
          {words.copyFailed}
          <ul>
            {failed.map(({ recordId, record, error }) => (
              <li key={`${recordId} ${record.value}`}>
                <code>
                  {visible(record.name)} {record.recordType} {visible(record.value)}
                </code>{' '}
                <span lang="en">{visible(error)}</span>
              </li>
            ))}
          </ul>
        </Note>
      )}
      <Bar>
        {!isLocal && (
          <Button icon="copy" isDisabled={lacksZone} onPress={() => setOpen('copy')}>
            {words.copy}
          </Button>
        )}
        <Button icon="server" isDisabled={lacksZone} onPress={() => setOpen('switch')}>
          {isLocal ? words.switchAction : words.switch}
        </Button>
      </Bar>
      <Suspense>
        {open === 'copy' && (
          <CopyDialog
            domain={domain}
            target={target}
            createZone={createZone && kind?.capabilities.createZone === true}
            skipRefused={skipRefused}
            mode={mode}
            zoneId={zoneId}
            onSeveral={askWhich}
            onFailed={setFailed}
            onClose={() => setOpen(null)}
          />
        )}
        {open === 'switch' && (
          <SwitchDialog
            {...{ domain, target, isLocal, zoneId }}
            onSeveral={askWhich}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </Card>
  )
}
