import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Verification } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { CliError, EXIT } from '../failures.ts'
import { change } from '../options.ts'
import { createBar } from '../terminal/progress.ts'
import type { Session } from '../session.ts'

const PAUSE_MS = 1_000

/** Adds the command that tells whether the name servers serve a change. */
export function addVerification(changes: Command, session: Session): void {
  changes
    .command('verify')
    .argument('DOMAIN')
    .argument('CHANGE', 'id, as shown by history', change)
    .option('--wait', 'wait until all name servers serve it, for ten minutes at most')
    .description('ask all name servers of the zone whether they serve a change')
    .action(async (name: string, changeId: string, { wait = false }: { wait?: boolean }) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const path = { id: domain.id, changeId }
      let now = await client.GET('/api/v1/domains/{id}/changes/{changeId}/verification', { path })
      if (now.status !== 'waiting' && now.status !== 'verified')
        now = await client.POST('/api/v1/domains/{id}/changes/{changeId}/verify', { path })
      if (wait) {
        const bar = createBar(session.terminal)
        while (now.status === 'waiting') {
          bar.show(now.agreeing, now.comparable)
          await sleep(PAUSE_MS)
          now = await client.GET('/api/v1/domains/{id}/changes/{changeId}/verification', { path })
        }
        bar.end()
      }
      if (session.options.json) await session.answer(now)
      else await session.say([summaryOf(now), ...now.servers.map(lineOf)].join('\n'))
      if (now.status === 'failed' || now.status === 'unreachable')
        throw new CliError(EXIT.different, `Not verified: ${now.status}`)
    })
}

const summaryOf = ({ status, agreeing, comparable }: Verification) =>
  comparable === 0 ? status : `${status}: ${agreeing} of ${comparable} name servers`

const lineOf = ({ server, address, state, name, recordType, answer }: Verification['servers'][number]) => {
  const what = name === null ? '' : ` ${name} ${recordType ?? ''}: ${answer?.join(', ') || 'no records'}`
  return `  ${server === address ? address : `${server} (${address})`} ${state}${what}`
}
