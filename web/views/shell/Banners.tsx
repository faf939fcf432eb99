import { useSyncExternalStore } from 'react'
import { followShown, shownSince } from '../../api/live/shown.ts'
import { buttonClass } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { OfflineNote, useOnline } from '../../ui/feedback/Offline.tsx'
import { useSite } from '../../ui/hooks/useSite.ts'
import styles from './Shell.module.css'

/** Banners of all pages: offline, or opened at another address. */
export function Banners() {
  const m = useMessages('shell')
  const isOnline = useOnline()
  const site = useSite()
  const isElsewhere = site !== null && new URL(site.siteUrl).origin !== location.origin
  return (
    <div className={styles['banners']}>
      {!isOnline && (
        <OfflineNote>
          <ShownAsOf />
        </OfflineNote>
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

/** Age of the shown data. */
function ShownAsOf() {
  const m = useMessages()
  const { moment } = useFormats()
  const since = useSyncExternalStore(followShown, shownSince)
  return since !== null && <div>{m.problems.shownAsOf(moment(new Date(since).toISOString()))}</div>
}
