import type { AnswerPart } from '../answers.ts'
import type { Via } from '../context.ts'

/** An address of this machine; port 0 for any free one. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** Yields the messages of the answer to one message; never throws. */
export type Answerer = (bytes: Buffer, via: Via) => AsyncIterable<AnswerPart>

/** Where messages come in. */
export interface Door {
  port: number
  /** Stops taking messages, and resolves when those received are answered. */
  close(): Promise<void>
}
