import { Originals, SaidText } from './ReasonList.tsx'
import { useReasons, type ToldReason } from './reasons.ts'

/** A stored failure at a provider or receiver. */
export interface KeptFailure {
  error: string
  errorCode?: string | null
  errorParams?: Record<string, unknown> | null
}

/** As a reason; failures stored before codes existed have only text. */
export const reasonOf = ({ error, errorCode, errorParams }: KeptFailure): ToldReason => ({
  code: errorCode ?? '',
  params: errorParams ?? {},
  text: error,
})

/** A failure in the user's language if it has a code; the original message is behind details. */
export function Failure(failure: KeptFailure) {
  const said = useReasons()(reasonOf(failure))
  return (
    <>
      <SaidText said={said} />
      <Originals texts={said.original === null ? [] : [said.original]} />
    </>
  )
}
