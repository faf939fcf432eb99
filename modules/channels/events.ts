import type { FieldError } from '../../plugins/errors.ts'
import { ANNOUNCED, type AnnouncedName } from '../../schemas/event-catalogue.ts'

const areaOf = (event: string) => `${event.slice(0, event.indexOf('.'))}.*`

/** A test goes to the channel that is tried, whatever it is told otherwise. */
const TOLD = ANNOUNCED.filter((event) => event !== 'channel.test')

/** All that may stand in `events` of a channel: names, areas (`domain.*`), and `*`. */
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

/** Of a channel's `events` those that ask for this one. */
export const patternsOf = (event: AnnouncedName): string[] => ['*', areaOf(event), event]
