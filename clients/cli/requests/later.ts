import { InvalidArgumentError, type Command } from 'commander'
import { given, time } from '../options.ts'
import type { GlobalOptions } from '../session.ts'

const MAX_MINUTES = 1440

function minutes(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > MAX_MINUTES)
    throw new InvalidArgumentError(`Give a number of minutes, from 1 to ${MAX_MINUTES}.`)
  return number
}

/** Adds the options that apply a change at a time, and revert it unless it is confirmed. */
export const withLater = (command: Command): Command =>
  command
    .option('--at <TIME>', 'apply it at this time, such as 2026-12-04T22:00:00Z', time)
    .option('--confirm-within <MINUTES>', 'revert it unless it is confirmed in this time', minutes)

/** The part of a body that says when to apply a change, and whether it must be confirmed. */
export const laterOf = ({ at, confirmWithin }: Pick<GlobalOptions, 'at' | 'confirmWithin'>) =>
  given({ applyAt: at, confirmWithin })
