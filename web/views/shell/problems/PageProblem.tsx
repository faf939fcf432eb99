import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { hasCode } from '../../../api/problems.ts'
import { reloadPage } from '../../../api/reload.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { useOnline } from '../../../ui/feedback/Offline.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { isPartGone } from '../../../ui/parts.ts'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { NotFound } from './NotFound.tsx'

/** A page that failed to render, within the frame. */
export function PageProblem(props: ErrorComponentProps) {
  const m = useMessages()
  if (hasCode(props.error, 'not_found')) return <NotFound />
  return (
    <Page title={m.problems.title}>
      <PartProblem {...props} />
    </Page>
  )
}

/** A tab that failed to render, below the page's heading. */
export function PartProblem({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const m = useMessages()
  const router = useRouter()
  const isOnline = useOnline()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  if (isPartGone())
    return (
      <Note
        tone="warn"
        alert
        actions={
          <Button icon="sync" onPress={isOnline ? reloadPage : retry}>
            {isOnline ? m.common.reload : m.common.tryAgain}
          </Button>
        }
      >
        {isOnline ? m.common.newVersion : m.problems.unreachable}
      </Note>
    )
  return <ProblemNote error={error} retry={retry} />
}
