import t from 'tap'
import { CHANNELS, senderOf } from '../../modules/channels/senders/registry.ts'
import { PROVIDERS } from '../../modules/providers/registry.ts'
import { fieldWords } from '../../web/messages/fields.ts'
import { serviceFields } from '../../web/messages/zh/serviceFields.ts'

const { table: chinese } = serviceFields

/* Fields that the service describes in English have words in Chinese. */

const owners = [
  ...PROVIDERS.map(({ key, credentialSchema }) => ({ owner: key, schema: credentialSchema })),
  ...CHANNELS.map((kind) => ({ owner: kind, schema: senderOf(kind).schema })),
]
const fields = owners.flatMap(({ owner, schema }) =>
  Object.entries(schema.properties).map(([name, { title, description }]) => ({
    owner,
    name,
    title,
    ...(description !== undefined && { description }),
  })),
)

const desec = { name: 'apiUrl', description: 'Only where it is another than https://desec.io/api/v1' }

void t.test('each field of credentials and channels has a title and help', (t) => {
  t.same(
    fields
      .filter((field) => {
        const { title, help } = fieldWords(chinese, field.owner, field)
        return title === null || (help === null && field.description !== undefined)
      })
      .map(({ owner, name, title, description }) => [owner, name, title, description]),
    [],
  )
  t.match(fieldWords(chinese, 'desec', desec), {
    help: '仅在不同于 https://desec.io/api/v1 时填写。',
  })
  t.end()
})

void t.test('required permissions are translated', (t) => {
  const asking = PROVIDERS.filter(({ rights }) => rights !== '').map(({ key }) => key)
  t.same(Object.keys(chinese.rights).toSorted(), asking.toSorted())
  t.end()
})

void t.test('no unused translations', (t) => {
  const known = new Set(fields.flatMap(({ owner, name }) => [`${owner}.${name}`, name]))
  const said = Object.entries(chinese.of).flatMap(([owner, own]) =>
    Object.keys(own).map((name) => `${owner}.${name}`),
  )
  t.same(
    [...said, ...Object.keys(chinese.common)].filter((one) => !known.has(one)),
    [],
  )
  t.end()
})
