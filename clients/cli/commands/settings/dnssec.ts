import { Argument, type Command } from 'commander'
import { findDomain } from '../../../domain-names.ts'
import { printable } from '../../../printable.ts'
import { confirm } from '../../terminal/questions.ts'
import type { Session } from '../../session.ts'

/** Adds `dnssec`, which shows and changes whether a domain is signed. */
export function addDnssec(program: Command, session: Session): void {
  program
    .command('dnssec')
    .argument('DOMAIN')
    .addArgument(new Argument('[STATE]', 'sign or stop signing').choices(['on', 'off']))
    .description('show whether a domain is signed, with the DS records for the parent zone, or change it')
    .action(async (name: string, state: 'on' | 'off' | undefined) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const path = { id: domain.id }
      if (state === 'off')
        await confirm(
          session,
          `Stop signing ${domain.name}? As long as the parent zone has its DS records, resolvers then refuse all its names.`,
        )
      if (state === 'on') await confirm(session, `Sign ${domain.name}?`)
      const dnssec =
        state === undefined
          ? await client.GET('/api/v1/domains/{id}/dnssec', { path })
          : await client.PUT('/api/v1/domains/{id}/dnssec', { path, body: { signed: state === 'on' } })
      if (session.options.json) return session.answer(dnssec)
      await session.say(dnssec.signed ? `${domain.name} is signed` : `${domain.name} is not signed`)
      for (const { value } of dnssec.ds) await session.say(printable(`${domain.name}. IN DS ${value}`))
    })
}
