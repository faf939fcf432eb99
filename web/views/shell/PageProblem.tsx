import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { hasCode } from '../../api/problems.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { NotFound } from './NotFound.tsx'

/** A page that can't be shown; the frame around it stays. */
export function PageProblem({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (hasCode(error, 'not_found')) return <NotFound />
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <ProblemNote error={error} retry={retry} />
}
