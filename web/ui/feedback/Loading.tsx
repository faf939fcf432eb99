import { useEffect, useState } from 'react'
import { useMessages } from '../language.tsx'
import styles from './Note.module.css'

/** Nothing at first, to avoid flicker, then placeholder lines; `page`: also for the heading. */
export function Loading({ lines = 6, page = false }: { lines?: number; page?: boolean }) {
  const m = useMessages()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <>
      {page && <h1 className="hidden">{m.common.loading}</h1>}
      <div className={styles['skeleton']} role="status" aria-label={m.common.loading}>
        {Array.from({ length: lines }, (_, line) => (
          <div key={line} className={styles['bar']} />
        ))}
      </div>
    </>
  )
}

/** Placeholder for a page that is loading. */
export const PageLoading = () => <Loading page />
