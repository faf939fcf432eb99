import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { PageProblem, PartProblem } from './PageProblem.tsx'

/** So that trying again asks for what could not be read. */
function useReset(reset: () => void): () => void {
  const queries = useQueryErrorResetBoundary()
  return () => {
    queries.reset()
    reset()
  }
}

/** A page that can't be shown, perhaps as something could not be read. */
export const PageReadProblem = ({ reset, ...rest }: ErrorComponentProps) => (
  <PageProblem {...rest} reset={useReset(reset)} />
)

/** The same for a part of a page that has its heading. */
export const PartReadProblem = ({ error, reset }: ErrorComponentProps) => (
  <PartProblem error={error} reset={useReset(reset)} />
)
