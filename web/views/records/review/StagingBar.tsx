import { useEffect, useState, useSyncExternalStore } from 'react'
import { isOwnReload } from '../../../api/reload.ts'
import { session } from '../../../api/session/session.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Confirm } from '../../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../../ui/language.tsx'
import type { Staged } from './staged.ts'
import styles from '../Records.module.css'

/** Unapplied edits by kind, with undo and review; warns before the page is left. */
export function StagingBar({ staged, onReview }: { staged: Staged; onReview: () => void }) {
  const m = useMessages('records')
  useSyncExternalStore(staged.subscribe, staged.version)
  const [isAsking, setAsking] = useState(false)
  const isEmpty = staged.size === 0
  useEffect(() => {
    if (isEmpty) return
    const warn = (event: BeforeUnloadEvent) => {
      // Signing out drops the edits; an automatic reload keeps them.
      if (session.get().user && !isOwnReload()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isEmpty])
  if (isEmpty && !staged.canUndo && !staged.canRedo) return null
  const { create, update, delete: deleted, failed, pending } = staged.counts()
  const words = m.records.staging
  const parts = [
    ...(create > 0 ? [words.created(create)] : []),
    ...(update > 0 ? [words.changed(update)] : []),
    ...(deleted > 0 ? [words.deleted(deleted)] : []),
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(pending > 0 ? [words.pending(pending)] : []),
  ]
  return (
    <section className={styles['staging']} aria-label={words.label}>
      <strong role="status">{parts.join(' · ')}</strong>
      <Button look="plain" icon="undo" iconOnly isDisabled={!staged.canUndo} onPress={() => staged.undo()}>
        {words.undo}
      </Button>
      <Button look="plain" icon="redo" iconOnly isDisabled={!staged.canRedo} onPress={() => staged.redo()}>
        {words.redo}
      </Button>
      <Button isDisabled={isEmpty} onPress={() => setAsking(true)}>
        {words.discard}
      </Button>
      <Button look="primary" isDisabled={isEmpty} onPress={onReview}>
        {words.review}
      </Button>
      {isAsking && (
        <Confirm
          title={words.discardTitle}
          action={words.discard}
          sends={false}
          onConfirm={async () => staged.clear()}
          onClose={() => setAsking(false)}
        >
          <p>{words.discardText}</p>
        </Confirm>
      )}
    </section>
  )
}
