import t from 'tap'
import { cloudflareSubject } from '../conformance/subjects/cloudflare-subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import cloudflare from '../../modules/providers/adapters/cloudflare/index.ts'
import { startCloudflareSimulator } from '../conformance/simulators/cloudflare.ts'

void t.test('Cloudflare', async (t) => {
  const sim = await startCloudflareSimulator()
  t.teardown(() => sim.close())
  await conformance(t, 'conformance', () => cloudflareSubject(cloudflare, sim))
})
