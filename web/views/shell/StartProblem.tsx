import { reloadPage } from '../../api/reload.ts'
import { Button } from '../../ui/Button.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { useMessages } from '../../ui/language.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import styles from './Shell.module.css'

/** In place of everything, when the service can't say who is signed in. */
export function StartProblem({ error }: { error: unknown }) {
  const m = useMessages()
  return (
    <main className={styles['start']}>
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
    </main>
  )
}
