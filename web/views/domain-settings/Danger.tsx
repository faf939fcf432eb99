import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox } from '../../ui/fields/Choice.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

interface DangerProps {
  domain: Schemas['Domain']
  can: { deleteZone: boolean; truth: 'provider' | 'local' }
}

/** Removes the domain, and on request its zone. */
export function Danger({ domain: { id, name, unicodeName }, can }: DangerProps) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.danger
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const [deleteZone, setDeleteZone] = useState(false)
  const isLocal = can.truth === 'local'
  async function remove() {
    await api.DELETE('/api/domains/{id}', {
      path: { id },
      ...(deleteZone && { query: { deleteZone } }),
    })
    toast(words.done(visible(unicodeName)))
    await navigate({ to: '/domains', ignoreBlocker: true })
    changed('domain')
  }
  return (
    <Card title={words.title}>
      <p>
        {words.about}
        {m.common.gap}
        {isLocal ? words.local : words.keeps}
      </p>
      <Bar>
        <Button look="danger" icon="trash" onPress={() => setAsking(true)}>
          {words.action}
        </Button>
      </Bar>
      {isAsking && (
        <Confirm
          title={words.confirm(visible(unicodeName))}
          action={deleteZone ? words.actionBoth : words.action}
          typed={name}
          onConfirm={remove}
          onClose={() => {
            setAsking(false)
            setDeleteZone(false)
          }}
        >
          <p>
            {words.about}
            {m.common.gap}
            {isLocal ? words.local : words.keeps}
          </p>
          {!isLocal && can.deleteZone && (
            <Checkbox isSelected={deleteZone} onChange={setDeleteZone}>
              {words.deleteZone}
            </Checkbox>
          )}
          {deleteZone && (
            <Note tone="bad" alert>
              {words.deleteZoneWarn}
            </Note>
          )}
        </Confirm>
      )}
    </Card>
  )
}
