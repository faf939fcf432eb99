import t from 'tap'
import { nearestTtl } from '../../../modules/domains/registration/default-ttl.ts'

void t.test('the nearest TTL that a provider takes', async (t) => {
  const range = { minTtl: 60, maxTtl: 86_400 }
  t.equal(nearestTtl(3600, range), 3600)
  t.equal(nearestTtl(5, range), 60)
  t.equal(nearestTtl(604_800, range), 86_400)
  const choices = { minTtl: 300, maxTtl: 86_400, ttls: [300, 3600, 86_400] }
  t.equal(nearestTtl(3600, choices), 3600)
  t.equal(nearestTtl(5000, choices), 3600)
  t.equal(nearestTtl(1, choices), 300)
  t.equal(nearestTtl(1_000_000, choices), 86_400)
})
