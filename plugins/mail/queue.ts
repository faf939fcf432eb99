import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import { LEASE_SECONDS, type Held } from '../work/leases.ts'
import type { Secrets } from '../security/secrets.ts'
import type { MailMessage } from './message.ts'
import {
  claimMail,
  deleteExpiredMails,
  deleteMail,
  insertMails,
  postponeMail,
  type DueMail,
} from './queries.ts'
import type { MailTransport } from './transport.ts'

/** Mails at a time; more than one, so that a server which is slow for one receiver keeps none waiting. */
const SENDERS = 3

/** Before each further try after a temporary failure, in seconds; the last one counts for all after it. */
export const RETRY_SECONDS = [2, 15, 60, 300, 1_800, 7_200]

/** Milliseconds that closing waits for mails that are being sent. */
const CLOSING_MS = 4_000

/** Binds a sealed mail to its row. */
export const mailContext = (id: string) => `mails/${id}`

interface MailQueue {
  add(db: Executor, to: readonly string[], message: MailMessage, validSeconds: number): Promise<void>
  /** Begins to send what is due, as many at a time as there are senders. */
  begin(): Promise<void>
  close(): Promise<void>
}

/** E-mails in the database, sent by whichever instance takes them, at least once; `held` are those that this one is sending. */
export function createMailQueue(
  db: Executor,
  held: Held,
  secrets: Secrets,
  transport: MailTransport,
  log: FastifyBaseLogger,
  retrySeconds: readonly number[],
): MailQueue {
  const senders = new Set<Promise<void>>()
  const closing = new AbortController()

  async function send(): Promise<void> {
    for (;;) {
      const mail = closing.signal.aborted ? undefined : await claimMail(db, LEASE_SECONDS)
      if (!mail) return
      await deliver(mail)
    }
  }

  async function deliver({ id, recipient, content, tries }: DueMail): Promise<void> {
    const message = JSON.parse(secrets.open(content, mailContext(id))) as MailMessage
    held.add(id)
    try {
      await transport.deliver([recipient], message, id).finally(() => held.delete(id))
    } catch (error) {
      await failed(error, id, { subject: message.subject, tries })
      return
    }
    await deleteMail(db, id)
  }

  async function failed(
    error: unknown,
    id: string,
    details: { subject: string; tries: number },
  ): Promise<void> {
    const seconds = retrySeconds[Math.min(details.tries, retrySeconds.length) - 1] ?? 0
    const isKept = isTemporary(error) && (await postponeMail(db, id, seconds))
    if (isKept) return log.warn({ err: error, ...details }, 'e-mail is tried again')
    await deleteMail(db, id)
    log.error({ err: error, ...details }, 'e-mail could not be sent')
  }

  function startSender(): void {
    const sender = send()
      .catch((error: unknown) => log.error({ err: error }, 'e-mails could not be sent'))
      .finally(() => senders.delete(sender))
    senders.add(sender)
  }

  return {
    async add(executor, to, message, validSeconds) {
      const mails = to.map((recipient) => {
        const id = uuidv7()
        return {
          id,
          recipient,
          content: secrets.seal(JSON.stringify(message), mailContext(id)),
          validSeconds,
        }
      })
      if (mails.length > 0) await insertMails(executor, mails)
    },
    async begin() {
      const { rows: expired } = await deleteExpiredMails(db)
      if (expired.length > 0) log.error({ mails: expired.length }, 'e-mails were not sent in time')
      while (!closing.signal.aborted && senders.size < SENDERS) startSender()
    },
    async close() {
      closing.abort()
      await Promise.race([Promise.all(senders), sleep(CLOSING_MS, undefined, { ref: false })])
    },
  }
}

/** What may go better later: no connection, a time-out, or an answer 4xx of the server (RFC 5321 section 4.2.1). */
function isTemporary(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  if (code === 'EAUTH') return false
  return responseCode === undefined ? code !== 'EENVELOPE' && code !== 'EMESSAGE' : responseCode < 500
}
