import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useMessages } from '../../ui/language.tsx'

interface RemoveProps {
  domain: Schemas['Domain']
  mirror: Schemas['Mirror']
  /** Of its connection. */
  name: string
  onClose: () => void
}

/** Removes a mirror; its zone stays. */
export function RemoveDialog({ domain, mirror, name, onClose }: RemoveProps) {
  const words = useMessages('mirrors').mirrors
  async function remove() {
    const path = { id: domain.id, mirrorId: mirror.id }
    await api.DELETE('/api/domains/{id}/mirrors/{mirrorId}', { path })
    toast(words.removed)
    changed('domain', domain.id)
  }
  return (
    <Confirm
      title={words.removeTitle(name)}
      action={words.removeAction}
      onConfirm={remove}
      onClose={() => onClose()}
    >
      <p>{words.removeAbout}</p>
    </Confirm>
  )
}
