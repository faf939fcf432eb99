import { useEffect, useSyncExternalStore } from 'react'
import { Signal } from '../../api/live/signal.ts'
import { Button } from '../page/Button.tsx'
import { useMessages } from '../language.tsx'
import styles from './Toast.module.css'

interface Told {
  id: number
  text: string
  action?: { text: string; onPress: () => void }
}

const told = new Signal<readonly Told[]>([])
let count = 0

/** Display time in milliseconds; a toast with an action counts only while the page is visible. */
const STAYS_MS = 6_000
const STAYS_WITH_ACTION_MS = 10_000

const drop = (id: number) => told.set(told.get().filter((one) => one.id !== id))

/** Shows a confirmation, with an optional action ("Undo"). */
export function toast(text: string, action?: Told['action']): void {
  count++
  told.set([...told.get().slice(-3), { id: count, text, ...(action && { action }) }])
}

/** Live region for all toasts. */
export function Toasts() {
  const m = useMessages()
  const all = useSyncExternalStore(told.subscribe, told.get)
  return (
    <div className={styles['region']} role="region" aria-label={m.common.notices}>
      <div role="status" aria-live="polite" className={styles['list']}>
        {all.map((one) => (
          <Toast key={one.id} {...one} />
        ))}
      </div>
    </div>
  )
}

function Toast({ id, text, action }: Told) {
  const m = useMessages()
  useEffect(() => {
    let left = action ? STAYS_WITH_ACTION_MS : STAYS_MS
    // Only while the page is visible.
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') left -= 500
      if (left <= 0) drop(id)
    }, 500)
    return () => clearInterval(timer)
  }, [id, action])
  return (
    <div className={styles['toast']}>
      <span>{text}</span>
      {action && (
        <Button
          onPress={() => {
            drop(id)
            action.onPress()
          }}
        >
          {action.text}
        </Button>
      )}
      <Button look="plain" icon="close" iconOnly onPress={() => drop(id)}>
        {m.common.close}
      </Button>
    </div>
  )
}
