import type { Notification } from '../../../schemas/notification.ts'

/** What all receivers of a notification share. */
export type Message = Omit<Notification, 'read'>

export interface Entry {
  message: Message
  read: boolean
  /** Rises with each message that a user gets; microseconds since the epoch when nothing comes at once. */
  position: number
}

/** The newest messages of each user. Rejects with 503 when they can't be reached. */
export interface NotificationStore {
  /** Adds the message to the lists that don't have one of its id yet; answers whose these were. */
  add(userIds: readonly string[], message: Message, read: boolean): Promise<string[]>
  /** Oldest first. */
  list(userId: string): Promise<Entry[]>
  /** False when there is no such message. */
  markRead(userId: string, id: string): Promise<boolean>
  markAllRead(userId: string): Promise<void>
  /** False when there is no such message. */
  remove(userId: string, id: string): Promise<boolean>
  clear(userId: string): Promise<void>
}

/** Of a user; the oldest give way. */
export const MAX_KEPT = 200

export const microseconds = (): number => Date.now() * 1000
