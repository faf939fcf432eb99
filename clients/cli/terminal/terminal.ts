import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number }
export type Input = Readable & { isTTY?: boolean; setRawMode?: (raw: boolean) => unknown }

/** Environment and standard streams of a run. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  stdin: Input
  stdout: Output
  stderr: Output
}

/** Writes, and waits if the reader is slower. */
export async function write(output: Output, text: string): Promise<void> {
  if (!output.write(text) && !output.destroyed) await once(output, 'drain')
}

/** Whether a user can be asked. */
export const isAttended = ({ stdin, stderr }: Terminal): boolean =>
  stdin.isTTY === true && stderr.isTTY === true

export const hasColours = ({ env, stdout }: Terminal): boolean =>
  stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
