import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { TestApp } from '../helpers/app.ts'
import { tell } from '../helpers/events.ts'
import { idOf } from '../helpers/zone.ts'

/** Creates a channel that is told everything. Answers its id. */
export const addChannel = async (
  { admin }: Pick<TestApp, 'admin'>,
  channel: string,
  config: object,
  more: object = {},
): Promise<string> =>
  idOf(await admin.post('/api/notifications', { channel, name: channel, config, events: ['*'], ...more }))

/** Something that happens to a domain; its name tells which. Resolves when it is in the outboxes. Answers its id. */
export const happen = (app: FastifyInstance, domainName: string, id = uuidv7()): Promise<string> =>
  tell(app, 'domain.created', { metadata: { domainId: uuidv7(), domainName }, actorId: null }, id)

/** Sends what waits in the channels, as the service does by itself where it is told to. */
export async function work(app: FastifyInstance): Promise<void> {
  await app.deliveryQueue.wake()
  await app.deliveryQueue.idle()
}

export async function channelOf({ admin }: Pick<TestApp, 'admin'>, id: string) {
  return (await admin.get(`/api/notifications/configs/${id}`)).body
}

export interface Logged {
  id: string
  eventId: string
  event: string
  status: string
  tries: number
  error: string | null
  nextTryAt: string | null
}

/** What the channel was to send, oldest first. */
export async function logOf({ admin }: Pick<TestApp, 'admin'>, id: string): Promise<Logged[]> {
  const { body } = await admin.get(`/api/notifications/configs/${id}/deliveries?limit=200`)
  return (body.deliveries as Logged[]).toReversed()
}

export const testOf = ({ admin }: Pick<TestApp, 'admin'>, id: string) =>
  admin.post(`/api/notifications/configs/${id}/test`)
