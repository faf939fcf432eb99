import { v7 as uuidv7 } from 'uuid'
import type { Caller } from '../../plugins/security/access/index.ts'
import { invalid, notFound } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import { differences, recordAudit } from '../audit/service.ts'
import { changedConfig, newConfig, openConfig, sealConfig, type Config } from './config.ts'
import type { ChannelContext } from './context.ts'
import { toChannel } from './mapper.ts'
import {
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  lockChannel,
  updateChannel,
  type ChannelRow,
} from './queries.ts'
import type { ChannelKind } from './senders/contract.ts'
import { senderOf } from './senders/registry.ts'

interface ChannelInput {
  channel: ChannelKind
  name: string
  config: Config
  events: string[]
  domains: DomainFilter
  enabled: boolean
}

/** The domains whose events a channel gets; all where empty or missing. */
interface DomainFilter {
  groups?: string[]
  tags?: string[]
}

const filterColumns = ({ groups = [], tags = [] }: DomainFilter) => ({
  domain_groups: groups,
  domain_tags: tags,
})

export async function listChannelConfigs({ db, secrets }: ChannelContext) {
  return { configs: (await listChannels(db)).map((row) => toChannel(row, secrets)) }
}

export async function readChannelConfig({ db, secrets }: ChannelContext, id: string) {
  return toChannel(await channelOf(db, id), secrets)
}

export async function createChannelConfig(
  context: ChannelContext,
  caller: Caller,
  { channel, name, config: given, events, domains, enabled }: ChannelInput,
) {
  const { db, secrets } = context
  const sender = senderOf(channel)
  const config = newConfig(sender, given)
  sender.require?.(context)
  const id = uuidv7()
  return keepingResult(db, caller, async (trx) => {
    const sealed = sealConfig(secrets, id, config)
    const row = await insertChannel(trx, {
      id,
      channel,
      name,
      config: sealed,
      events,
      ...filterColumns(domains),
      enabled,
    })
    const after = toChannel(row, secrets)
    await recordAudit(trx, caller, {
      action: 'channel.created',
      target: targetOf(row),
      after: auditView(after),
    })
    return after
  })
}

/** Keeps missing fields and masked secrets; replaces `domains` as a whole. Pending deliveries are retried immediately. */
export async function updateChannelConfig(
  context: ChannelContext,
  caller: Caller,
  id: string,
  { channel, name, config: given, events, domains, enabled }: Partial<ChannelInput>,
) {
  const { db, secrets } = context
  const updated = await db.transaction().execute(async (trx) => {
    const row = await lockChannel(trx, id)
    if (!row) throw channelNotFound(id)
    await requireMatch(caller, () => toChannel(row, secrets))
    if (channel !== undefined && channel !== row.channel) {
      throw invalid({
        path: '/channel',
        code: 'fixed',
        message: `cannot change from ${row.channel}; create another channel`,
      })
    }
    const sender = senderOf(row.channel)
    const stored = openConfig(secrets, row)
    const config = given === undefined ? stored : changedConfig(sender, stored, given)
    const next = await updateChannel(trx, id, {
      name: name ?? row.name,
      events: events ?? row.events,
      ...(domains && filterColumns(domains)),
      enabled: enabled ?? row.enabled,
      config: sealConfig(secrets, id, config),
    })
    const after = toChannel(next, secrets)
    await recordAudit(trx, caller, {
      action: 'channel.updated',
      target: targetOf(next),
      ...differences(auditView(toChannel(row, secrets)), auditView(after)),
    })
    return after
  })
  context.events.emit('deliveries.added', {})
  return updated
}

/** Deletes its pending deliveries and log too. */
export async function deleteChannelConfig(
  { db, secrets }: ChannelContext,
  caller: Caller,
  id: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await lockChannel(trx, id)
    if (!row) throw channelNotFound(id)
    await requireMatch(caller, () => toChannel(row, secrets))
    await deleteChannel(trx, id)
    const before = auditView(toChannel(row, secrets))
    await recordAudit(trx, caller, { action: 'channel.deleted', target: targetOf(row), before })
  })
}

export async function channelOf(db: ChannelContext['db'], id: string): Promise<ChannelRow> {
  const row = await findChannel(db, id)
  if (!row) throw channelNotFound(id)
  return row
}

export const targetOf = ({ id, name }: Pick<ChannelRow, 'id' | 'name'>) => ({ type: 'channel', id, name })

const channelNotFound = (id: string) => notFound('channel configuration', id)

/** The settings kept in the audit log, secrets masked. */
const auditView = ({ channel, name, config, events, domains, enabled }: ReturnType<typeof toChannel>) => ({
  channel,
  name,
  config,
  events,
  domains,
  enabled,
})
