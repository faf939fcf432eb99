import { Originals, SaidText } from './ReasonList.tsx'
import { useReasons, type ToldReason } from './reasons.ts'

/** What went wrong at a provider or a receiver, as the service keeps it. */
export interface KeptFailure {
  error: string
  errorCode?: string | null
  errorParams?: Record<string, unknown> | null
}

/** As a reason: what failed before there were codes has words alone. */
export const reasonOf = ({ error, errorCode, errorParams }: KeptFailure): ToldReason => ({
  code: errorCode ?? '',
  params: errorParams ?? {},
  text: error,
})

/** What went wrong, in the user's language where it has a code; the words of the service or the provider behind details. */
export function Failure(failure: KeptFailure) {
  const said = useReasons()(reasonOf(failure))
  return (
    <>
      <SaidText said={said} />
      <Originals texts={said.original === null ? [] : [said.original]} />
    </>
  )
}
