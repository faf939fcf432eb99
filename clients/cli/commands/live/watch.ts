import type { Command } from 'commander'
import { asciiOf } from '../../../domain-names.ts'
import { printable } from '../../../printable.ts'
import { count, repeated } from '../../options.ts'
import type { Session } from '../../session.ts'
import { readLogin } from '../../settings.ts'
import { liveEvents, type LiveEvent } from './event-stream.ts'

interface WatchOptions {
  event?: string[]
  domain?: string
  since?: string
  number?: number
}

const COLOURS = { success: 'green', info: 'dim', warning: 'yellow', error: 'red' } as const

/** Adds `watch`, which prints events while they happen. */
export function addWatch(program: Command, session: Session): void {
  program
    .command('watch')
    .description('print your notifications while they happen, one on each line; reconnects')
    .option(
      '--event <EVENT>',
      'only this event, or all of an area: domain.*; can be given several times',
      repeated,
    )
    .option('--domain <DOMAIN>', 'only about this domain')
    .option('--since <ID>', 'first those since this one')
    .option('--number <NUMBER>', 'end after so many', count)
    .action(async ({ event, domain, since, number = Infinity }: WatchOptions) => {
      const login = await readLogin(session.terminal.env)
      session.url = login.url
      const onBreak = (pause: number) =>
        void session.note(`The stream ended; reconnecting in ${Math.ceil(pause / 1000)} s`)
      const name = domain === undefined ? undefined : asciiOf(domain)
      let left = number
      for await (const one of liveEvents({ ...login, since: since ?? null, onBreak })) {
        if (!isWanted(one, event, name)) continue
        await tell(session, one)
        if (--left === 0) return
      }
    })
}

function isWanted({ event, metadata }: LiveEvent, events: string[] | undefined, domain: string | undefined) {
  const isOfEvent =
    events === undefined ||
    events.some((one) => (one.endsWith('*') ? event.startsWith(one.slice(0, -1)) : event === one))
  const { domainName } = metadata as { domainName?: unknown }
  return isOfEvent && (domain === undefined || domainName === domain)
}

/** Prints an event: in JSON on a line, in YAML as a document. */
async function tell(session: Session, event: LiveEvent): Promise<void> {
  const { format } = session
  if (format === 'json') return session.say(JSON.stringify(event))
  if (format === 'yaml') {
    await session.say('---')
    return session.answer(event)
  }
  const { createdAt, level, event: name, title, content } = event
  const text = `${createdAt.slice(0, 19).replace('T', ' ')}  ${name}  ${title}${content ? `: ${content}` : ''}`
  return session.say(session.paint(COLOURS[level], printable(text)))
}
