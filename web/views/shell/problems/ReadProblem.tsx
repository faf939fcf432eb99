import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { PageProblem, PartProblem } from './PageProblem.tsx'

/** Makes a retry repeat the failed queries. */
function useReset(reset: () => void): () => void {
  const queries = useQueryErrorResetBoundary()
  return () => {
    queries.reset()
    reset()
  }
}

/** A page that can't be shown, usually because loading failed. */
export const PageReadProblem = ({ reset, ...rest }: ErrorComponentProps) => (
  <PageProblem {...rest} reset={useReset(reset)} />
)

/** A tab that can't be shown, below the page's heading. */
export const PartReadProblem = ({ error, reset }: ErrorComponentProps) => (
  <PartProblem error={error} reset={useReset(reset)} />
)
