import t from 'tap'
import { RouteNames } from '../../../../plugins/http/validation/known-names.ts'
import { serializers } from '../../../../plugins/http/validation/serialization.ts'
import { validators } from '../../../../plugins/http/validation/validation.ts'

void t.test('plugins that share their schemas share what is compiled of them', (t) => {
  const schema = { $id: 'Name', type: 'string' }
  for (const build of [validators(false, new RouteNames()), serializers(false)] as ((
    schemas: object,
    more: object,
  ) => unknown)[]) {
    const compiler = build({ Name: schema }, {})
    t.equal(build({ Name: schema }, {}), compiler)
    t.not(build({ Name: { ...schema } }, {}), compiler, 'another schema of that name')
    t.not(build({ Name: schema, Other: { $id: 'Other' } }, {}), compiler)
  }
  t.end()
})
