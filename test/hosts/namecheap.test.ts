import t from 'tap'
import namecheap from '../../modules/providers/adapters/namecheap/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import { add, edit, open, remove } from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/namecheap.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('Namecheap', async (t) => {
  const { makeSubject } = await simulate(t, namecheap, dialect)
  await conformance(t, 'conformance', makeSubject)
})

void t.test('mail goes where an MX says, and a zone keeps a record', async (t) => {
  const { sim, makeSubject } = await simulate(t, namecheap, dialect)
  const adapter = await open(t, await makeSubject())
  const domain = sim.createZone('own.co.uk')
  const zone = { id: 'own.co.uk', name: 'own.co.uk' }
  await adapter.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
  t.equal(domain.emailType, 'FWD', 'forwarding stays')
  await adapter.apply(zone, [edit('@', 'MX', [add('10 mx.example.net')])])
  t.equal(domain.emailType, 'MX', 'where else an MX would come to nothing')
  const none = [edit('@', 'MX', [remove('10 mx.example.net')]), edit('www', 'A', [remove('192.0.2.1')])]
  t.match(await adapter.apply(zone, none).catch((error: unknown) => error), { kind: 'rejected' })
  t.equal(domain.hosts.length, 2)
})
