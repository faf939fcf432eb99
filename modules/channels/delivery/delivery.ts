import { setTimeout as sleep } from 'node:timers/promises'
import type { Executor } from '../../../db/connection/connect.ts'
import { SYSTEM } from '../../../plugins/security/access/index.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { recordAudit } from '../../audit/service.ts'
import { openConfig } from '../config.ts'
import type { ChannelContext } from '../context.ts'
import {
  findHead,
  settleFailure,
  settleSuccess,
  takeChannels,
  type Failure,
  type Head,
} from './outbox-queries.ts'
import type { ChannelRow } from '../queries.ts'
import { afterFailure } from './retries.ts'
import { DeliveryError, Interrupted, type Message, type Pace } from '../senders/contract.ts'
import { senderOf } from '../senders/registry.ts'

/** A shorter wait for the pace is waited for here; longer ones would take the place of channels that could be told now. */
const MAX_NAP_MS = 1_000

/** Channels that are told something at a time, on each instance; most of the time they wait for a receiver. */
const MAX_CHANNELS = 100

interface Limits {
  /** Ends a call that is under way. */
  signal: AbortSignal
  /** No further call is begun. */
  stopping: AbortSignal
}

/** Sends what waits in all channels; a slow receiver keeps none but its own channel waiting. */
export interface DeliveryWorker {
  /** Begins with the channels in which something waits that may be tried now, and nobody sends. */
  begin(): Promise<void>
  /** Resolves when all channels that were begun with had their turn. */
  idle(): Promise<void>
}

export function createDeliveryWorker(context: ChannelContext, limits: Limits): DeliveryWorker {
  const { db, leases, log } = context
  const busy = new Set<Promise<void>>()

  async function deliverAll(channelId: string): Promise<void> {
    leases.keep('channel', channelId)
    const failed = (error: unknown) => {
      log.error({ err: error, channelId }, 'the messages of a channel could not be sent')
      return 'waits' as const
    }
    const end = await deliverInTurn(context, channelId, limits).catch(failed)
    await leases.end('channel', channelId)
    // What came in between the last look and the end of the lease found the channel taken.
    if (end === 'empty') await begin().catch(failed)
  }

  async function begin(): Promise<void> {
    const limit = MAX_CHANNELS - busy.size
    if (limit === 0 || limits.stopping.aborted) return
    for (const channelId of await takeChannels(db, { holder: leases.holder, limit })) {
      const run = deliverAll(channelId).finally(() => busy.delete(run))
      busy.add(run)
    }
  }

  return {
    begin,
    async idle() {
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}

/**
 * Sends what waits in one channel, the oldest first, until nothing is left or the channel must wait; answers which. None overtakes another: while the first waits for its next try, so do
 * those behind it. What was sent and not marked, because this process died, is sent again with the same id.
 */
async function deliverInTurn(
  context: ChannelContext,
  channelId: string,
  { signal, stopping }: Limits,
): Promise<'empty' | 'waits'> {
  for (;;) {
    const head = await findHead(context.db, channelId, context.leases.holder)
    if (!head) return 'empty'
    const nap = head.ahead_ms - headStart(senderOf(head.channel).pace)
    if (head.backoff_ms > 0 || nap > MAX_NAP_MS) return 'waits'
    if (nap > 0) await sleep(nap)
    if (stopping.aborted || signal.aborted) return 'waits'
    if (!(await deliver(context, head, signal))) return 'waits'
  }
}

/** How far ahead of an even pace the channel may be and still send. */
const headStart = (pace: Pace | null) => (pace === null ? Infinity : (pace.burst - 1) * pace.intervalMs)

/** One try. Answers whether the channel goes on with the next message. */
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

/** Rejects with what went wrong, a DeliveryError if it was not a fault of ours. */
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

/** Counts the try in vain; tells of a message that is given up, and of a channel that is turned off. */
async function fail(context: ChannelContext, head: Head, error: DeliveryError, intervalMs: number) {
  const failure = { ...afterFailure(error, head, context.channelTiming), error, intervalMs }
  await context.db.transaction().execute(async (trx) => {
    const enabled = await settleFailure(trx, head, failure)
    // The receiver wants no more; not so when somebody changed the channel during the try.
    if (failure.disable && enabled === false) await auditGone(trx, head, failure)
    if (failure.dead) await announceFailure(trx, head, failure)
  })
}

const auditGone = (trx: Executor, head: Head, failure: Failure) =>
  recordAudit(trx, SYSTEM, {
    action: 'channel.updated',
    target: { type: 'channel', id: head.id, name: head.name },
    before: { enabled: true },
    after: { enabled: false, reason: failure.error.message },
  })

const announceFailure = (trx: Executor, head: Head, failure: Failure) =>
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

/** Faults of ours are in the log, and the message is tried again as after any other. */
export function toDeliveryError(
  { log }: Pick<ChannelContext, 'log'>,
  { id, channel }: { id: string; channel: string },
  error: unknown,
): DeliveryError {
  if (error instanceof DeliveryError) return error
  log.error({ err: error, channelId: id, channel }, 'a message could not be sent')
  return new DeliveryError('A fault of the service; the log says more', {
    code: 'service_fault',
    cause: error,
  })
}
