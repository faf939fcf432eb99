import type { Executor } from '../../../db/connection/connect.ts'
import { announceAll } from '../../../plugins/events/outbox/announce.ts'
import { newEvent } from '../../../plugins/events/outbox/event.ts'
import { endTransfers, type EndedTransfer } from './transfer-queries.ts'

/** Withdraws pending offers of domains that change their owner; both users are notified. */
export async function withdrawTransfers(
  trx: Executor,
  domainIds: readonly string[],
  actorId: string | null,
): Promise<void> {
  await tellEnded(trx, await endTransfers(trx, { expired: false, domainIds }), actorId)
}

/** Expires offers, of one domain or all; both users are notified. */
export async function expireTransfers(trx: Executor, domainId?: string): Promise<void> {
  await tellEnded(
    trx,
    await endTransfers(trx, { expired: true, ...(domainId && { domainIds: [domainId] }) }),
    null,
  )
}

const tellEnded = (trx: Executor, ended: readonly EndedTransfer[], actorId: string | null) =>
  announceAll(
    trx,
    ended.map((transfer) =>
      newEvent(`domain.transfer_${transfer.status}`, {
        metadata: transferMetadata(transfer),
        actorId: transfer.status === 'expired' ? null : actorId,
        userIds: [transfer.from_user_id, transfer.to_user_id],
      }),
    ),
  )

/** Event metadata about an offer. */
export const transferMetadata = ({
  domain_id,
  domain_name,
  from_username,
  to_username,
}: Pick<EndedTransfer, 'domain_id' | 'domain_name' | 'from_username' | 'to_username'>) => ({
  domainId: domain_id,
  domainName: domain_name,
  username: to_username,
  previousUsername: from_username,
})
