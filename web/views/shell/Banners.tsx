import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { siteQuery } from '../../api/queries/account.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './Shell.module.css'

const followOnline = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** What holds for all pages: that one is offline, or at another address than the service's own. */
export function Banners() {
  const m = useMessages('shell')
  const isOnline = useSyncExternalStore(followOnline, () => navigator.onLine)
  const { data: site } = useQuery(siteQuery)
  const isElsewhere = site !== undefined && new URL(site.siteUrl).origin !== location.origin
  return (
    <div className={styles['banners']}>
      {!isOnline && (
        <Note tone="warn" alert>
          {m.shell.offline}
        </Note>
      )}
      {isElsewhere && (
        <Note
          tone="info"
          actions={
            <a className={buttonClass()} href={site.siteUrl}>
              {m.shell.goThere}
            </a>
          }
        >
          {m.shell.wrongAddress(site.siteUrl)}
        </Note>
      )}
    </div>
  )
}
