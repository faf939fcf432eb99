import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { failureFields, type ExternalFailure } from '../../../schemas/codes/failure-codes.ts'
import { conflict, notFound } from '../../../plugins/http/errors.ts'
import { keepingResult } from '../../../plugins/http/idempotency/key.ts'
import { recordAudit } from '../../audit/service.ts'
import type { ChannelContext } from '../context.ts'
import { sendBy, toDeliveryError } from './delivery.ts'
import {
  countDeliveries,
  deliveryPage,
  findDelivery,
  reviveDelivery,
  type DeliveryFilter,
} from './log-queries.ts'
import { toDelivery } from '../mapper.ts'
import { messageOf } from './messages.ts'
import { recordPace } from './delivery-queries.ts'
import { resetChannel } from '../queries.ts'
import { Interrupted } from '../senders/contract.ts'
import { senderOf } from '../senders/registry.ts'
import { channelOf, targetOf } from '../service.ts'

/** A page of a channel's deliveries, newest first. */
export async function listDeliveries(
  { db }: ChannelContext,
  channelId: string,
  { page, limit, ...filter }: DeliveryFilter & { page: number; limit: number },
) {
  await channelOf(db, channelId)
  const [rows, total] = await Promise.all([
    deliveryPage(db, channelId, filter, page, limit),
    countDeliveries(db, channelId, filter),
  ])
  return { deliveries: rows.map(toDelivery), total, page, limit }
}

/** Makes a dead delivery pending again, at its place in chronological order and with all its tries. */
export async function replayDelivery(
  context: ChannelContext,
  caller: Caller,
  channelId: string,
  deliveryId: string,
) {
  const revived = await keepingResult(context.db, caller, async (trx) => {
    const row = await reviveDelivery(trx, channelId, deliveryId)
    if (!row) throw await notDead(trx, channelId, deliveryId)
    await resetChannel(trx, channelId)
    const channel = await channelOf(trx, channelId)
    await recordAudit(trx, caller, {
      action: 'channel.replayed',
      target: targetOf(channel),
      after: { deliveryId, event: row.event },
    })
    return toDelivery(row)
  })
  context.events.emit('deliveries.added', {})
  return revived
}

async function notDead(db: Executor, channelId: string, deliveryId: string) {
  const row = await findDelivery(db, channelId, deliveryId)
  return row
    ? conflict(`This delivery is ${row.status}; only dead deliveries can be retried`, {
        reason: 'delivery_not_dead',
      })
    : notFound('delivery', deliveryId)
}

/**
 * Sends a test message immediately, even if the channel is disabled, and returns the result. If it is delivered,
 * pending deliveries are retried immediately.
 */
export async function testChannel(context: ChannelContext, caller: Caller, id: string, signal: AbortSignal) {
  const { db } = context
  const row = await channelOf(db, id)
  const sender = senderOf(row.channel)
  const metadata = { channelId: id, channel: row.channel, name: row.name }
  const message = messageOf('channel.test', metadata, { id: uuidv7(), at: new Date() })
  const begun = performance.now()
  const error: ExternalFailure | null = await sendBy(context, row, message, signal).then(
    () => null,
    (error: Error) =>
      error instanceof Interrupted
        ? { message: error.message, code: 'receiver_aborted' }
        : toDeliveryError(context, row, error),
  )
  const durationMs = Math.round(performance.now() - begun)
  await recordPace(db, id, sender.pace?.intervalMs ?? 0)
  await recordAudit(db, caller, {
    action: 'channel.tested',
    target: targetOf(row),
    after: { ok: error === null },
  })
  if (error === null) {
    await resetChannel(db, id)
    context.events.emit('deliveries.added', {})
  }
  return { ok: error === null, ...failureFields(error), durationMs }
}
