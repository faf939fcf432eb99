import type { Schemas } from '../../api/schema.d.ts'
import type { ConsoleApi } from '../../api/schema.d.ts'
import { showTtl } from '../../zone/ttl.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Card, Facts } from '../../ui/page/Page.tsx'

type Catalogue = ConsoleApi['/api/providers']['GET']['answer']['providers'][number]
export type ProviderKind = Catalogue

/** Capabilities of a kind of provider. */
export function Capabilities({ kind }: { kind: ProviderKind }) {
  const m = useMessages('providers')
  const { list } = useFormats()
  const words = m.providers.can
  const can = kind.capabilities
  const extras = [
    can.proxied && words.proxied,
    can.disabledRecords && words.disabled,
    can.comments && words.comments,
    can.routing && words.routing,
    can.apexCname && words.apexCname,
    can.apexAlias && words.apexAlias,
    can.apexNs && words.apexNs,
  ].filter((one) => one !== false)
  const zones = can.createZone
    ? can.deleteZone
      ? words.zonesCreate
      : words.zonesCreateOnly
    : words.zonesNone
  const extent = (one: Schemas['CapabilityExtent']) => words.extent[one]
  return (
    <Card title={words.title}>
      <Facts
        facts={[
          [words.truth, words.truths[can.truth]],
          [
            words.types,
            <>
              {can.recordTypes.join(' ')} {can.otherTypes && words.otherTypes}
            </>,
          ],
          [words.zones, zones],
          [words.ttl, <Ttl key="ttl" can={can} />],
          [words.apply, words.batch[can.batch]],
          [words.extras, extras.length > 0 ? list(extras) : words.noExtras],
          [words.soa, extent(can.soa)],
          [words.dnssec, extent(can.dnssec)],
        ]}
      />
    </Card>
  )
}

/** Highest possible TTL (RFC 2181 section 8), not a limit of the provider. */
const LONGEST = 2_147_483_647

function Ttl({ can }: { can: ProviderKind['capabilities'] }) {
  const m = useMessages('providers')
  const { list } = useFormats()
  const words = m.providers.can
  if (can.ttlOf === 'zone') return words.ttlZone
  return list([
    can.maxTtl < LONGEST
      ? words.ttlRange(showTtl(can.minTtl), showTtl(can.maxTtl), showTtl(can.defaultTtl))
      : words.ttlFrom(showTtl(can.minTtl), showTtl(can.defaultTtl)),
    ...(can.automaticTtl ? [words.ttlAutomatic] : []),
    ...(can.ttlByPlan ? [words.ttlByPlan] : []),
  ])
}
