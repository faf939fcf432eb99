import { setTimeout as sleep } from 'node:timers/promises'
import type { Executor } from '../../../db/connection/connect.ts'
import { SYSTEM } from '../../../plugins/security/access/index.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import type { QueueOptions, StopSignals } from '../../../plugins/work/queue.ts'
import { recordAudit } from '../../audit/service.ts'
import { openConfig } from '../config.ts'
import type { ChannelContext } from '../context.ts'
import {
  channelsDue,
  findHead,
  settleFailure,
  settleSuccess,
  takeChannels,
  type FailedAttempt,
  type Head,
} from './delivery-queries.ts'
import type { ChannelRow } from '../queries.ts'
import { afterFailure } from './retries.ts'
import { DeliveryError, Interrupted, type Message, type Pace } from '../senders/contract.ts'
import { senderOf, SENDERS } from '../senders/registry.ts'

/** A run waits this long for the pace of its channel; longer waits would take up the place of other channels. */
const MAX_NAP_MS = 1_000

/** Channels that this instance sends to at the same time; most of the time they wait for a receiver. */
const CONCURRENCY = 100

/** How long a receiver may take to answer when the service stops. */
const DRAIN_MS = 2_000

/**
 * The queue of channels with pending messages. One instance at a time sends to a channel, so its messages stay in
 * order, and a slow receiver holds up no other channel.
 */
export const channelQueue = (context: ChannelContext): QueueOptions<string> => ({
  name: 'channels',
  concurrency: CONCURRENCY,
  drainMs: DRAIN_MS,
  dueTimes: channelsDue(Object.entries(SENDERS)),
  claim: (limit, running) =>
    takeChannels(context.db, { holder: context.leases.holder, except: running, limit }),
  ...context.leases.ofQueue('channel', (channelId: string) => channelId),
  run: (channelId, signals) => deliverPending(context, channelId, signals),
  async backoff(channelId, error) {
    context.log[levelOf(error)]({ err: error, channelId }, 'channel delivery failed')
    return 'later'
  },
})

/**
 * Sends the pending messages of one channel, oldest first, until none is left or the channel has to wait (`later`). None
 * overtakes another: while the first waits for its next try, so do those behind it. A message that was sent but not
 * marked, because the process died, is sent again with the same id.
 */
async function deliverPending(
  context: ChannelContext,
  channelId: string,
  { stopping, cutOff }: StopSignals,
): Promise<'later' | void> {
  for (;;) {
    const head = await findHead(context.db, channelId, context.leases.holder)
    if (!head) return
    const nap = head.ahead_ms - headStart(senderOf(head.channel).pace)
    if (head.backoff_ms > 0 || nap > MAX_NAP_MS) return 'later'
    if (nap > 0) await sleep(nap)
    if (stopping.aborted || cutOff.aborted) return 'later'
    if (!(await deliver(context, head, cutOff))) return 'later'
  }
}

/** How far ahead of an even pace a channel may be and still send. */
const headStart = (pace: Pace | null) => (pace === null ? Infinity : (pace.burst - 1) * pace.intervalMs)

/** One attempt. Returns whether the channel continues with the next message. */
async function deliver(context: ChannelContext, head: Head, signal: AbortSignal): Promise<boolean> {
  const intervalMs = senderOf(head.channel).pace?.intervalMs ?? 0
  try {
    await sendBy(context, head, head.message, signal)
  } catch (error) {
    if (error instanceof Interrupted) return false
    await fail(context, head, toDeliveryError(context, head, error), intervalMs)
    return true
  }
  await settleSuccess(context.db, head, intervalMs)
  return true
}

/** Rejects with a DeliveryError, or with an internal error. */
export async function sendBy(
  context: ChannelContext,
  channel: Pick<ChannelRow, 'id' | 'channel' | 'config'>,
  message: Message,
  signal: AbortSignal,
): Promise<void> {
  const config = openConfig(context.secrets, channel)
  const { timeoutMs } = context.channelTiming
  await senderOf(channel.channel).send(message, config, context, { timeoutMs, signal })
}

/** Records the failed attempt; announces a message given up on, and audits a channel that was disabled. */
async function fail(context: ChannelContext, head: Head, error: DeliveryError, intervalMs: number) {
  const failure = { ...afterFailure(error, head, context.channelTiming), error, intervalMs }
  await context.db.transaction().execute(async (trx) => {
    const enabled = await settleFailure(trx, head, failure)
    // Not if someone changed the channel during the attempt.
    if (failure.disable && enabled === false) await auditGone(trx, head, failure)
    if (failure.dead) await announceFailure(trx, head, failure)
  })
}

const auditGone = (trx: Executor, head: Head, failure: FailedAttempt) =>
  recordAudit(trx, SYSTEM, {
    action: 'channel.updated',
    target: { type: 'channel', id: head.id, name: head.name },
    before: { enabled: true },
    after: { enabled: false, reason: failure.error.message },
  })

const announceFailure = (trx: Executor, head: Head, failure: FailedAttempt) =>
  announce(trx, 'channel.failed', {
    metadata: {
      channelId: head.id,
      channel: head.channel,
      name: head.name,
      deliveryId: head.delivery_id,
      event: head.message.event,
      error: failure.error.message,
      errorCode: failure.error.code,
      errorParams: failure.error.params ?? null,
    },
    actorId: null,
  })

/** Logs an internal error; the message is retried as after any other. */
export function toDeliveryError(
  { log }: Pick<ChannelContext, 'log'>,
  { id, channel }: { id: string; channel: string },
  error: unknown,
): DeliveryError {
  if (error instanceof DeliveryError) return error
  log.error({ err: error, channelId: id, channel }, 'channel message could not be sent')
  return new DeliveryError('Internal error; see the log of the service', {
    code: 'service_fault',
    cause: error,
  })
}
