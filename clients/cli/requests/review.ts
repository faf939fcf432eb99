import type { Command } from 'commander'
import type { Zonekeeper } from '../../typescript/index.ts'
import { ZonekeeperError } from '../../typescript/problem.ts'
import { laterOf, withLater } from './later.ts'
import { printable } from '../../printable.ts'
import { EXIT, CliError } from '../failures.ts'
import type { GlobalOptions, Session } from '../session.ts'

/** Adds the options of commands that apply a change: at a time, until confirmed, and for domains that require a review. */
export const withReview = (command: Command): Command =>
  withLater(command)
    .option('--request-review <TITLE>', 'if the change needs a review, open a change request')
    .option('--emergency <REASON>', 'apply without the review (owner and administrators)')

/** The part of the body that bypasses the review, if the user wants that. */
export const bypassOf = ({ emergency }: GlobalOptions): { emergency?: true; reason?: string } =>
  emergency === undefined ? {} : { emergency: true, reason: emergency }

/**
 * Opens a change request for a plan that needs a review, if the user wants that. Rejects with CliError otherwise, and with
 * `error` if it has another reason.
 */
export async function requestInstead(
  session: Session,
  client: Zonekeeper,
  domain: { id: string; name: string },
  planId: string,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ZonekeeperError) || error.code !== 'review_required') throw error
  const { requestReview: title, json } = session.options
  if (title === undefined)
    throw new CliError(
      EXIT.needsReview,
      `${printable(error.message)}. Add --request-review "TITLE", or run\n  zonekeeper requests open ${domain.name} --plan ${planId} --title "TITLE"`,
    )
  const request = await client.POST('/api/v1/domains/{id}/change-requests', {
    path: { id: domain.id },
    body: { title, planId, ...laterOf(session.options) },
  })
  if (json) return session.answer(request)
  await session.say(`Nothing was changed yet: change request ${request.id} waits for approval.`)
}
