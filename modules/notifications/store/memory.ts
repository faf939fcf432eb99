import { MAX_KEPT, microseconds, type Entry, type NotificationStore } from './contract.ts'

/** In the memory of this instance. A message is there once, however many users have it. */
export function memoryStore(): NotificationStore {
  const lists = new Map<string, Map<string, Entry>>()
  let last = 0

  return {
    async add(userIds, message, read) {
      last = Math.max(last + 1, microseconds())
      const position = last
      return userIds.filter((userId) => {
        const list = lists.get(userId) ?? new Map<string, Entry>()
        if (list.has(message.id)) return false
        list.set(message.id, { message, read, position })
        if (list.size > MAX_KEPT) list.delete(list.keys().next().value as string)
        lists.set(userId, list)
        return true
      })
    },
    list: async (userId) => [...(lists.get(userId)?.values() ?? [])],
    async markRead(userId, id) {
      const entry = lists.get(userId)?.get(id)
      if (entry) entry.read = true
      return entry !== undefined
    },
    async markAllRead(userId) {
      for (const entry of lists.get(userId)?.values() ?? []) entry.read = true
    },
    remove: async (userId, id) => lists.get(userId)?.delete(id) === true,
    async clear(userId) {
      lists.delete(userId)
    },
  }
}
