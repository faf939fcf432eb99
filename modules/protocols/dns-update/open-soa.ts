import type { Executor } from '../../../db/connection/connect.ts'
import { CLASS, RCODE, type Message, type NewMessage } from '../../../dns/wire/message.ts'
import { zoneNamesOf } from '../../domains/access/holder.ts'
import type { Via } from './context.ts'
import { findZones } from './queries.ts'
import { soaOf } from './zones.ts'

/**
 * Answers an unsigned SOA query, for clients that look for the zone of a name without their key. Over UDP it only sends
 * them to TCP, so that nobody gets a large answer with the address of somebody else. Null: REFUSED.
 */
export async function openSoa(
  db: Executor,
  { questions }: Message,
  { transport }: Via,
): Promise<Partial<NewMessage> | null> {
  const [question, ...others] = questions
  if (!question || others.length > 0 || question.class !== CLASS.IN) return null
  if (transport === 'udp') return { rcode: RCODE.NOERROR, isTruncated: true }
  const [zone] = await findZones(db, zoneNamesOf(question.name))
  if (!zone) return null
  const soa = soaOf(zone)
  const isZone = zone.name === question.name
  return {
    rcode: RCODE.NOERROR,
    isAuthoritative: true,
    ...(isZone ? { answers: [soa] } : { authorities: [soa] }),
  }
}
