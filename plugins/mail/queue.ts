import type { FastifyBaseLogger } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { Secrets } from '../security/secrets.ts'
import { LEASE_SECONDS } from '../work/leases.ts'
import type { QueueOptions } from '../work/queue.ts'
import type { MailMessage } from './message.ts'
import {
  claimMails,
  deleteExpiredMails,
  deleteMail,
  insertMails,
  mailsDue,
  postponeMail,
  renewMails,
  type DueMail,
} from './queries.ts'
import type { MailTransport } from './transport.ts'

/** More than one, so that a mail server that is slow for one recipient doesn't hold up the others. */
const CONCURRENCY = 3
/** Finds emails due for another try, and those of an instance that died. */
const POLL_SECONDS = 2
/** An email can't be cut off: it only has the time that others have to store their outcome. */
const DRAIN_MS = 0

/** Delays after temporary failures, in seconds; the last one applies to every later try. */
export const RETRY_SECONDS = [2, 15, 60, 300, 1_800, 7_200]

/** Binds a sealed email to its row. */
export const mailContext = (id: string) => `mails/${id}`

/** Stores a message for each recipient, to be sent after the commit. */
export async function addMails(
  db: Executor,
  secrets: Secrets,
  to: readonly string[],
  { message, validSeconds }: { message: MailMessage; validSeconds: number },
): Promise<void> {
  const mails = to.map((recipient) => {
    const id = uuidv7()
    return { id, recipient, content: secrets.seal(JSON.stringify(message), mailContext(id)), validSeconds }
  })
  if (mails.length > 0) await insertMails(db, mails)
}

interface Sending {
  db: Executor
  secrets: Secrets
  transport: MailTransport
  log: FastifyBaseLogger
  retrySeconds: readonly number[]
}

/** The queue of stored emails, each sent at least once. */
export function mailQueue({ db, secrets, transport, log, retrySeconds }: Sending): QueueOptions<DueMail> {
  const messageOf = ({ id, content }: DueMail) =>
    JSON.parse(secrets.open(content, mailContext(id))) as MailMessage

  return {
    name: 'emails',
    concurrency: CONCURRENCY,
    pollSeconds: POLL_SECONDS,
    wokenBy: ['mails.added'],
    drainMs: DRAIN_MS,
    dueTimes: [mailsDue(LEASE_SECONDS, retrySeconds)],
    async claim(limit) {
      const expired = await deleteExpiredMails(db)
      if (expired > 0) log.error({ mails: expired }, 'emails expired before they could be sent')
      return claimMails(db, limit, LEASE_SECONDS)
    },
    renew: (mails) =>
      renewMails(
        db,
        mails.map(({ id }) => id),
        LEASE_SECONDS,
      ),
    async run(mail) {
      await transport.deliver([mail.recipient], messageOf(mail), mail.id)
      await deleteMail(db, mail.id)
    },
    async backoff(mail, error) {
      const { id, tries } = mail
      const details = { err: error, subject: messageOf(mail).subject, tries }
      const seconds = retrySeconds[Math.min(tries, retrySeconds.length) - 1] ?? 0
      const isKept = isTemporary(error) && (await postponeMail(db, id, seconds))
      if (isKept) return log.warn(details, 'email not sent yet; will be retried')
      await deleteMail(db, id)
      log.error(details, 'email could not be sent')
    },
  }
}

/** Whether a retry may help: no connection, a time-out, or a 4xx reply of the server (RFC 5321 section 4.2.1). */
function isTemporary(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  if (code === 'EAUTH') return false
  return responseCode === undefined ? code !== 'EENVELOPE' && code !== 'EMESSAGE' : responseCode < 500
}
