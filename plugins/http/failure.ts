import type { FAILURE_CODES } from '../../schemas/failure-codes.ts'

/** What a failure outside of the service is called, for programs. */
export type FailureCode = (typeof FAILURE_CODES)[number]

/** A failure outside of the service: at a provider, or at a receiver of messages. An error is one where it has these. */
export interface Failure {
  /** For people, in English; of a provider possibly in its own words. */
  message: string
  code: FailureCode
  /** What the words name. */
  params?: Readonly<Record<string, unknown>> | undefined
}

/** As an answer tells it; all null where there is none. */
export const toldFailure = (failure: Failure | null) => ({
  error: failure?.message ?? null,
  errorCode: failure?.code ?? null,
  errorParams: failure?.params ?? null,
})
