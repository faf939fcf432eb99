import t from 'tap'
import { addTotp } from '../auth/two-factor/steps.ts'
import { startApp } from '../helpers/app.ts'
import { startZone } from '../helpers/zone.ts'
import { finished, importFile, keepWaiting, LARGE, zonefile } from './large.ts'

void t.test('107. an operation is not done for somebody who must have a second factor by now', async (t) => {
  const environment = { REQUIRE_SECOND_FACTOR: 'admins' }
  const app = await startApp(t, { largeChange: LARGE, environment })
  await addTotp(app.admin)
  const zone = await startZone(t, { app })
  await app.addUser('eve')
  const eve = await app.signIn('eve')
  await app.admin.post('/api/assignments', {
    userId: eve.userId,
    domainId: zone.domainId,
    permission: 'write',
  })
  const go = await keepWaiting(zone)
  const { body } = await importFile(zone, zonefile(10), eve)
  await app.admin.put(`/api/users/${eve.userId}`, { role: 'admin' })
  await go()
  t.match(await finished(app.admin, body.operation.id), {
    outcome: 'failed',
    problem: { code: 'second_factor_required' },
  })
  t.same(await zone.here(), [])
})
