import type { PowerDns } from '../../test/peers/powerdns.ts'
import type { HaStack } from '../../test/peers/ha-stack.ts'
import { noCounts, type RepeatingClient } from './client.ts'

/** What is there in the end. */
export interface Truth {
  /** Names in Zonekeeper's list. */
  listed: Set<string>
  /** Names in PowerDNS. */
  served: Set<string>
  /** Names that more than one record or applied change created. */
  twice: string[]
}

interface Page {
  records: { name: string; recordType: string }[]
  nextCursor?: string | null
}

export async function readTruth(
  stack: HaStack,
  client: RepeatingClient,
  powerDns: PowerDns,
  { id, name }: { id: string; name: string },
): Promise<Truth> {
  const names: string[] = []
  let cursor: string | null | undefined = ''
  do {
    const path = `/api/domains/${id}/records?limit=1000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const answer = await client.ask({ method: 'GET', path }, noCounts())
    const page = answer?.body as Page
    names.push(...page.records.filter(({ recordType }) => recordType === 'A').map((record) => record.name))
    cursor = page.nextCursor
  } while (cursor)
  const zone = (await fetch(`${powerDns.apiUrl}/api/v1/servers/localhost/zones/${name}.`, {
    headers: { 'x-api-key': powerDns.apiKey },
  }).then((answer) => answer.json())) as { rrsets: { name: string; type: string; records: unknown[] }[] }
  const rrsets = zone.rrsets.filter(({ type }) => type === 'A')
  const twiceInJournal = await stack.run(`export PGPASSWORD=$(cat secrets/postgres_password)
psql -h 127.0.0.1 -p 5000 -U zonekeeper -Atc "select name from change_items where action = 'create' and outcome = 'applied' group by name, type having count(*) > 1 and type = 'A'"`)
  const seen = new Set<string>()
  const isRepeated = (one: string) => seen.size === seen.add(one).size
  return {
    listed: new Set(names),
    served: new Set(rrsets.map((rrset) => rrset.name.slice(0, -`.${name}.`.length))),
    twice: [
      ...names.filter(isRepeated),
      ...rrsets.filter(({ records }) => records.length > 1).map((rrset) => rrset.name),
      ...twiceInJournal.split('\n').filter((line) => line !== ''),
    ],
  }
}
