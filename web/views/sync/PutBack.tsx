import { useState } from 'react'
import { api } from '../../api/client.ts'
import { hasCode, type Problem } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'

interface PutBackProps {
  domain: Schemas['Domain']
  onDone: () => Promise<unknown>
  onClose: () => void
}

/** Asks before the provider's records are changed, and again, by typing the name, if that is a large part of the zone. */
export function PutBack({ domain, onDone, onClose }: PutBackProps) {
  const words = useMessages('sync').sync
  const [much, setMuch] = useState<Problem | null>(null)
  async function putBack(force: boolean) {
    const path = { id: domain.id }
    await api.POST('/api/domains/{id}/sync', { path, query: { putBack: true, force } })
    await onDone()
  }
  async function tryFirst() {
    try {
      await putBack(false)
      onClose()
    } catch (failure) {
      if (!hasCode(failure, 'confirmation_required')) throw failure
      setMuch(failure.problem)
    }
  }
  if (much) {
    const { created = 0, updated = 0, deleted = 0, unchanged = 0 } = much
    return (
      <Confirm
        key="much"
        title={words.muchBackTitle}
        action={words.putBack}
        typed={domain.name}
        onConfirm={() => putBack(true)}
        onClose={onClose}
      >
        <p>{words.muchBack(created + updated + deleted, updated + deleted + unchanged)}</p>
        {/* What is missing there is added, and what was added there is deleted. */}
        <ul>
          {deleted > 0 && <li>{words.back.added(deleted)}</li>}
          {updated > 0 && <li>{words.back.changed(updated)}</li>}
          {created > 0 && <li>{words.back.deleted(created)}</li>}
        </ul>
        <p>{words.muchBackWhy}</p>
      </Confirm>
    )
  }
  return (
    <Confirm
      key="first"
      title={words.putBackTitle}
      action={words.putBack}
      onConfirm={tryFirst}
      // Stays mounted for the second question.
      onClose={(isDone) => isDone !== true && onClose()}
    >
      <p>{words.putBackAbout}</p>
    </Confirm>
  )
}
