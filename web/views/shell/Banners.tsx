import { useQuery } from '@tanstack/react-query'
import { siteQuery } from '../../api/queries/account.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import { OfflineNote, useOnline } from '../../ui/Offline.tsx'
import styles from './Shell.module.css'

/** What holds for all pages: that one is offline, or at another address than the service's own. */
export function Banners() {
  const m = useMessages('shell')
  const isOnline = useOnline()
  const { data: site } = useQuery(siteQuery)
  const isElsewhere = site !== undefined && new URL(site.siteUrl).origin !== location.origin
  return (
    <div className={styles['banners']}>
      {!isOnline && <OfflineNote />}
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
