import { ANNOUNCED, type AnnouncedName } from '../../schemas/events/event-catalogue.ts'

const areaOf = (event: string) => `${event.slice(0, event.indexOf('.'))}.*`

export type ToldName = Exclude<AnnouncedName, 'channel.test'>

/** A test goes to the channel that is tried, whatever it is told otherwise. */
export const TOLD = ANNOUNCED.filter((event): event is ToldName => event !== 'channel.test')

/** All that may stand in `events` of a channel: names, areas (`domain.*`), and `*`. */
export const PATTERNS = [...new Set(['*', ...TOLD.map(areaOf), ...TOLD])]

/** Of a channel's `events` those that ask for this one. */
export const patternsOf = (event: AnnouncedName): string[] => ['*', areaOf(event), event]
