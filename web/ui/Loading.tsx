import { useEffect, useState } from 'react'
import { useMessages } from './language.tsx'
import styles from './Note.module.css'

/** Nothing for a moment, so that what is quick does not flicker; then bars where lines will be. */
export function Loading({ lines = 6 }: { lines?: number }) {
  const m = useMessages()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <div className={styles['skeleton']} role="status" aria-label={m.common.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles['bar']} />
      ))}
    </div>
  )
}
