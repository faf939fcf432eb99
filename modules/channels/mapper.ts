import type { Secrets } from '../../plugins/security/secrets.ts'
import type { AnnouncedName } from '../../schemas/events/event-catalogue.ts'
import { maskConfig, openConfig } from './config.ts'
import type { DeliveryRow } from './delivery/delivery-queries.ts'
import type { ChannelRow } from './queries.ts'
import type { Message } from './senders/contract.ts'
import { senderOf } from './senders/registry.ts'

/** Secrets are masked. */
export const toChannel = (row: ChannelRow, secrets: Secrets) => ({
  id: row.id,
  channel: row.channel,
  name: row.name,
  config: maskConfig(senderOf(row.channel), openConfig(secrets, row)),
  events: row.events,
  domains: { groups: row.domain_groups, tags: row.domain_tags },
  enabled: row.enabled,
  createdAt: row.created_at.toISOString(),
  lastDelivery: row.last_delivery_at && {
    at: row.last_delivery_at.toISOString(),
    ok: row.last_delivery_ok === true,
    error: row.last_delivery_error,
    errorCode: row.last_delivery_error_code,
    errorParams: row.last_delivery_error_params,
  },
})

export const toDelivery = (row: DeliveryRow) => ({
  id: row.id,
  eventId: row.event_id,
  event: row.event as AnnouncedName,
  title: (row.message as Message).title,
  status: row.status,
  tries: row.tries,
  error: row.last_error,
  errorCode: row.last_error_code,
  errorParams: row.last_error_params,
  createdAt: row.created_at.toISOString(),
  lastTryAt: row.last_try_at?.toISOString() ?? null,
  nextTryAt: row.status === 'pending' ? row.next_try_at.toISOString() : null,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
})
