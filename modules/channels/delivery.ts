import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '../../plugins/access/index.ts'
import { recordAudit } from '../audit/service.ts'
import { openConfig } from './config.ts'
import type { ChannelContext } from './context.ts'
import { wake } from './outbox.ts'
import {
  endTurn,
  findHead,
  settleFailure,
  settleSuccess,
  takeTurn,
  type Failure,
  type Head,
} from './outbox-queries.ts'
import type { ChannelRow } from './queries.ts'
import { afterFailure } from './retries.ts'
import { DeliveryError, Interrupted, type Message, type Pace } from './senders/contract.ts'
import { senderOf } from './senders/registry.ts'

/** After that others have their turn; the channel is queued again. */
const TURN_MS = 5_000

/** Beside the turn and one call to its end: of an instance that died the turn is over then. */
const MARGIN_MS = 5_000

/** A shorter wait for the pace is waited for here; longer ones would take the place of channels that could be told now. */
const MAX_NAP_MS = 1_000

export interface Limits {
  /** Ends a call that is under way. */
  signal: AbortSignal
  /** No further call is begun. */
  stopping: AbortSignal
}

/**
 * Sends what waits in one channel, the oldest first, until nothing is left or the channel must wait. None
 * overtakes another: while the first waits for its next try, so do those behind it. What was sent and not
 * marked, because this process died, is sent again with the same id.
 */
export async function deliverWaiting(
  context: ChannelContext,
  channelId: string,
  limits: Limits,
): Promise<void> {
  const { db, channelTiming } = context
  const holder = uuidv7()
  const seconds = (TURN_MS + channelTiming.timeoutMs + MARGIN_MS) / 1000
  if (!(await takeTurn(db, channelId, holder, seconds))) return
  let left = false
  try {
    left = await deliverInTurn(context, channelId, limits)
  } finally {
    await endTurn(db, channelId, holder)
  }
  if (left) await wake(context, channelId)
}

/** Answers whether the turn was over before all was sent that could be sent. */
async function deliverInTurn(
  context: ChannelContext,
  channelId: string,
  { signal, stopping }: Limits,
): Promise<boolean> {
  const end = Date.now() + TURN_MS
  for (;;) {
    const head = await findHead(context.db, channelId)
    if (!head) return false
    const nap = head.ahead_ms - headStart(senderOf(head.channel).pace)
    if (head.backoff_ms > 0 || nap > MAX_NAP_MS) return false
    if (nap > 0) await sleep(nap)
    if (stopping.aborted || signal.aborted) return false
    if (Date.now() > end) return true
    if (!(await deliver(context, head, signal))) return false
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

async function fail(context: ChannelContext, head: Head, error: DeliveryError, intervalMs: number) {
  const failure = { ...afterFailure(error, head, context.channelTiming), error: error.message, intervalMs }
  if (failure.disable) await settleGone(context, head, failure)
  else await settleFailure(context.db, head, failure)
  if (!failure.dead) return
  context.events.emit('channel.failed', {
    metadata: {
      channelId: head.id,
      channel: head.channel,
      name: head.name,
      deliveryId: head.delivery_id,
      event: head.message.event,
      error: error.message,
    },
    actorId: null,
  })
}

/** The receiver wants no more: the channel is turned off, unless somebody changed it during the try. */
async function settleGone(context: ChannelContext, head: Head, failure: Failure): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    if ((await settleFailure(trx, head, failure)) !== false) return
    await recordAudit(trx, SYSTEM, {
      action: 'channel.updated',
      target: { type: 'channel', id: head.id, name: head.name },
      before: { enabled: true },
      after: { enabled: false, reason: failure.error },
    })
  })
  context.events.emit('channels.changed', {})
}

/** Faults of ours are in the log, and the message is tried again as after any other. */
export function toDeliveryError(
  { log }: Pick<ChannelContext, 'log'>,
  { id, channel }: { id: string; channel: string },
  error: unknown,
): DeliveryError {
  if (error instanceof DeliveryError) return error
  log.error({ err: error, channelId: id, channel }, 'a message could not be sent')
  return new DeliveryError('A fault of the service; the log says more', { cause: error })
}
