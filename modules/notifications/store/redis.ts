import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { AppError } from '../../../plugins/errors.ts'
import { MAX_KEPT, type Entry, type Message, type NotificationStore } from './contract.ts'

/*
 * In Redis, so that all instances see the same, also one that starts later. Of each user two keys: the ids
 * in order (a sorted set, scored with the position) and the state of each ("<variant> <read>", a hash).
 * A message is there once; an event has several variants when its receivers may see different parts of it.
 */
const PREFIX = 'zonekeeper:notifications:'
const KEPT_SECONDS = 30 * 24 * 3600
/** Users for one script: others wait while it runs. */
const BATCH = 500

const orderOf = (userId: string) => `${PREFIX}order:${userId}`
const stateOf = (userId: string) => `${PREFIX}state:${userId}`
const messageKey = (id: string, variant: string) => `${PREFIX}message:${id}:${variant}`

/** KEYS: of the message, then order and state of each user. Answers which users got it, by their number. */
const ADD = `
  local id, variant, read, message, kept, seconds = unpack(ARGV)
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local added = {}
  for i = 2, #KEYS, 2 do
    local order, state = KEYS[i], KEYS[i + 1]
    if redis.call('HEXISTS', state, id) == 0 then
      local last = redis.call('ZRANGE', order, -1, -1, 'WITHSCORES')[2]
      local position = math.max(now, (tonumber(last) or 0) + 1)
      redis.call('ZADD', order, string.format('%.0f', position), id)
      redis.call('HSET', state, id, variant .. ' ' .. read)
      local gone = redis.call('ZRANGE', order, 0, -1 - kept)
      if #gone > 0 then
        redis.call('ZREM', order, unpack(gone))
        redis.call('HDEL', state, unpack(gone))
      end
      redis.call('EXPIRE', order, seconds)
      redis.call('EXPIRE', state, seconds)
      added[#added + 1] = i / 2 - 1
    end
  end
  if #added > 0 then redis.call('SET', KEYS[1], message, 'EX', seconds) end
  return added`

/** KEYS: the state. ARGV: ids, or none for all. Answers how many there are. */
const MARK_READ = `
  local ids = #ARGV > 0 and ARGV or redis.call('HKEYS', KEYS[1])
  local found = 0
  for _, id in ipairs(ids) do
    local state = redis.call('HGET', KEYS[1], id)
    if state then
      redis.call('HSET', KEYS[1], id, string.sub(state, 1, -2) .. '1')
      found = found + 1
    end
  end
  return found`

export function redisStore(redis: Redis): NotificationStore {
  async function addTo(userIds: readonly string[], message: Message, read: boolean): Promise<string[]> {
    const text = JSON.stringify(message)
    const variant = createHash('sha256').update(text).digest('base64url').slice(0, 12)
    const keys = [
      messageKey(message.id, variant),
      ...userIds.flatMap((userId) => [orderOf(userId), stateOf(userId)]),
    ]
    const values = [message.id, variant, read ? '1' : '0', text, String(MAX_KEPT), String(KEPT_SECONDS)]
    const added = (await redis.eval(ADD, keys.length, ...keys, ...values)) as number[]
    return added.map((i) => userIds[i] as string)
  }

  const store: NotificationStore = {
    async add(userIds, message, read) {
      const added: string[] = []
      for (let i = 0; i < userIds.length; i += BATCH) {
        added.push(...(await addTo(userIds.slice(i, i + BATCH), message, read)))
      }
      return added
    },
    async list(userId) {
      const [order, states] = await Promise.all([
        redis.zrange(orderOf(userId), '0', '-1', 'WITHSCORES'),
        redis.hgetall(stateOf(userId)),
      ])
      const known = pairs(order).flatMap(([id, score]) => {
        const [variant, read] = states[id]?.split(' ') ?? []
        return variant === undefined
          ? []
          : [{ key: messageKey(id, variant), read: read === '1', position: Number(score) }]
      })
      if (known.length === 0) return []
      const messages = await redis.mget(known.map(({ key }) => key))
      return known.flatMap(({ read, position }, i): Entry[] => {
        const text = messages[i]
        return text == null ? [] : [{ message: JSON.parse(text) as Message, read, position }]
      })
    },
    markRead: async (userId, id) => (await redis.eval(MARK_READ, 1, stateOf(userId), id)) === 1,
    markAllRead: async (userId) => void (await redis.eval(MARK_READ, 1, stateOf(userId))),
    async remove(userId, id) {
      const [removed] = await Promise.all([redis.hdel(stateOf(userId), id), redis.zrem(orderOf(userId), id)])
      return removed === 1
    },
    clear: async (userId) => void (await redis.del(orderOf(userId), stateOf(userId))),
  }
  return reachable(store)
}

const pairs = (flat: string[]): [string, string][] =>
  flat.flatMap((id, i) => (i % 2 === 0 ? [[id, flat[i + 1] as string]] : []))

/** The store, with what Redis says when it is away made an answer to the client. */
function reachable(store: NotificationStore): NotificationStore {
  const guarded = Object.entries(store).map(
    ([name, act]: [string, (...given: never[]) => Promise<unknown>]) => [
      name,
      (...given: never[]) => act(...given).catch((cause: unknown) => Promise.reject(away(cause))),
    ],
  )
  return Object.fromEntries(guarded) as NotificationStore
}

const away = (cause: unknown) =>
  new AppError(503, 'unavailable', 'The store of notifications does not answer', { cause })
