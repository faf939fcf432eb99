import type { Executor } from '../../db/connect.ts'
import type { FieldError } from '../../plugins/errors.ts'
import { ANNOUNCED, type AnnouncedName } from '../../schemas/event-catalogue.ts'
import { listSubscribers, type Subscriber } from './queries.ts'

const areaOf = (event: string) => `${event.slice(0, event.indexOf('.'))}.*`

/** A test goes to the channel that is tried, whatever it is told otherwise. */
const TOLD = ANNOUNCED.filter((event) => event !== 'channel.test')

/** All that may stand in `events`: names, areas (`domain.*`), and `*`. */
const PATTERNS = new Set<string>(['*', ...TOLD, ...TOLD.map(areaOf)])

export const checkEvents = (events: readonly string[]): FieldError[] =>
  events.flatMap((event, i) =>
    PATTERNS.has(event)
      ? []
      : [
          {
            path: `/events/${i}`,
            message: `is no event; there are *, domain.* and the like, ${TOLD.join(', ')}`,
          },
        ],
  )

const isMeant = ({ events }: Subscriber, event: AnnouncedName): boolean =>
  events.some((pattern) => pattern === event || pattern === '*' || pattern === areaOf(event))

/** Who is to be told of what; while nobody is, an event costs nothing. */
export interface Subscriptions {
  /** The channels that are to be told of the event. */
  of(event: AnnouncedName): Promise<string[]>
  forget(): void
}

/** `mayRemember`: whether every change reaches this process; without that each event asks the database. */
export function createSubscriptions(db: Executor, mayRemember: () => boolean): Subscriptions {
  let known: Subscriber[] | null = null
  // Rises with each change: what was read before one is not remembered after it.
  let changes = 0
  return {
    async of(event) {
      const readAt = changes
      const subscribers = (mayRemember() ? known : null) ?? (await listSubscribers(db))
      if (readAt === changes && mayRemember()) known = subscribers
      return subscribers.filter((subscriber) => isMeant(subscriber, event)).map(({ id }) => id)
    },
    forget() {
      changes++
      known = null
    },
  }
}
