import { useEffect, useState, type ReactNode } from 'react'
import { reloadPage } from '../../api/reload.ts'
import { Button } from '../../ui/page/Button.tsx'
import { PageLoading } from '../../ui/feedback/Loading.tsx'
import { Logo } from '../../ui/page/Logo.tsx'
import { useMessages } from '../../ui/language.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import styles from './Start.module.css'

/** Shown until the session is known, and if the service can't tell. */
export function Start({ started, children }: { started: Promise<void>; children: ReactNode }) {
  const [state, setState] = useState<{ is: 'starting' } | { is: 'ready' } | { is: 'failed'; error: unknown }>(
    {
      is: 'starting',
    },
  )
  useEffect(() => {
    started.then(
      () => setState({ is: 'ready' }),
      (error: unknown) => setState({ is: 'failed', error }),
    )
  }, [started])
  if (state.is === 'ready') return children
  return (
    <main className={styles['start']}>
      {state.is === 'failed' ? <StartProblem error={state.error} /> : <PageLoading />}
    </main>
  )
}

function StartProblem({ error }: { error: unknown }) {
  const m = useMessages()
  return (
    <>
      <h1 className={styles['brand']}>
        <Logo />
        {m.common.product}
      </h1>
      <ProblemNote
        error={error}
        actions={
          <Button icon="sync" onPress={reloadPage}>
            {m.common.tryAgain}
          </Button>
        }
      />
    </>
  )
}
