import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useMatches } from '@tanstack/react-router'
import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { followEvents } from '../../api/live/live.ts'
import { queryClient } from '../../api/query-client.ts'
import { factorMissing } from '../../api/session/required-factor.ts'
import { session } from '../../api/session/session.ts'
import { useMessages } from '../../ui/language.tsx'
import { lazyPart } from '../../ui/lazyPart.ts'
import { useOnline } from '../../ui/feedback/Offline.tsx'
import { Banners } from './Banners.tsx'
import { Asked } from './Asked.tsx'
import { ForAdministrators } from './ForAdministrators.tsx'
import { BottomBar, Rail } from './Navigation.tsx'
import { Shortcuts } from './palette/Shortcuts.tsx'
import { TopBar } from './TopBar.tsx'
import styles from './Shell.module.css'

// Seldom used, so not part of the first load.
const RequiredFactor = lazyPart(() => import('./RequiredFactor.tsx'), 'RequiredFactor', ['account', 'shell'])

/** Frame of all pages behind sign-in. */
export function Shell() {
  const m = useMessages()
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const userId = user?.id
  const isOnline = useOnline()
  const lacksFactor = useSyncExternalStore(factorMissing.subscribe, factorMissing.get)
  // The service enforces this; here it gets an explanation.
  const isForbidden = useMatches({
    select: (matches) =>
      user?.role !== 'admin' && matches.some(({ staticData }) => staticData.administrators),
  })
  useEffect(() => {
    if (userId === undefined || lacksFactor) return
    const end = new AbortController()
    followEvents(end.signal)
    return () => end.abort()
  }, [userId, lacksFactor])
  if (!user) return null
  if (lacksFactor) {
    return (
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <RequiredFactor />
        </Suspense>
        <Asked />
      </QueryClientProvider>
    )
  }
  return (
    <QueryClientProvider client={queryClient}>
      <div className={styles['frame']}>
        <a href="#main" className={styles['skip']}>
          {m.common.skip}
        </a>
        <Rail role={user.role} />
        <TopBar user={user} />
        <main id="main" tabIndex={-1} className={styles['main']}>
          <Banners />
          <div {...(!isOnline && { className: styles['old'] })}>
            {isForbidden ? <ForAdministrators /> : <Outlet />}
          </div>
        </main>
        <BottomBar />
        <Asked />
        <Shortcuts />
      </div>
    </QueryClientProvider>
  )
}
