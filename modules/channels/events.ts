import { ANNOUNCED, type AnnouncedName } from '../../schemas/events/event-catalogue.ts'

const areaOf = (event: string) => `${event.slice(0, event.indexOf('.'))}.*`

export type ChannelEvent = Exclude<AnnouncedName, 'channel.test'>

/** All events but the test, which goes only to the tested channel. */
export const CHANNEL_EVENTS = ANNOUNCED.filter((event): event is ChannelEvent => event !== 'channel.test')

/** Valid `events` of a channel: names, areas (`domain.*`) and `*`. */
export const PATTERNS = [...new Set(['*', ...CHANNEL_EVENTS.map(areaOf), ...CHANNEL_EVENTS])]

/** The patterns that match an event. */
export const patternsOf = (event: AnnouncedName): string[] => ['*', areaOf(event), event]
