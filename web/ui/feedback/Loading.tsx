import { useEffect, useState } from 'react'
import { useMessages } from '../language.tsx'
import styles from './Note.module.css'

/** Nothing for a moment, so that what is quick does not flicker; then bars where lines will be; `page`: where its heading will be, too. */
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

/** In place of a page that is on its way. */
export const PageLoading = () => <Loading page />
