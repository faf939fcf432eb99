import t from 'tap'
import { CASES, conformance } from '../conformance/suite/index.ts'
import { whyNot } from '../conformance/suite/case.ts'
import { manySetsSubject } from '../conformance/subjects/many-sets-subject.ts'

/* Between the two, each capability is there once. */
const wholeZones = () => manySetsSubject()
const recordByRecord = () =>
  manySetsSubject({
    identity: 'record-id',
    writeUnit: 'record',
    batch: 'best-effort',
    maxBatch: 7,
    ttlOf: 'rrset',
    automaticTtl: false,
  })

void conformance(t, 'a provider that has all, and writes whole zones', wholeZones)
void conformance(t, 'a provider of single records', recordByRecord)

void t.test('there is no case that nobody can try', async (t) => {
  const subjects = await Promise.all([wholeZones(), recordByRecord()])
  const untried = CASES.filter((each) => subjects.every((subject) => whyNot(each, subject) !== null))
  t.same(
    untried.map(({ name }) => name),
    [],
  )
  t.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length, 'each has a name of its own')
})
