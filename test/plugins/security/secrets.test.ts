import t from 'tap'
import { createSecrets } from '../../../plugins/security/secrets.ts'

const OLD = Buffer.alloc(32, 1)
const NEW = Buffer.alloc(32, 2)
const PLACE = 'provider_configs:credentials:1'

void t.test('76. opens what it sealed', async (t) => {
  const secrets = createSecrets([NEW])
  for (const text of ['', 'a', '{"apiKey":"geheim"}', 'grüße 🔑\0', 'x'.repeat(100_000)]) {
    t.equal(secrets.open(secrets.seal(text, PLACE), PLACE), text)
  }
})

void t.test('76. the sealed form does not show the text, and is another each time', async (t) => {
  const secrets = createSecrets([NEW])
  const [one, other] = [secrets.seal('correct horse', PLACE), secrets.seal('correct horse', PLACE)]
  t.notSame(one, other)
  t.notOk(one.includes('correct'))
})

void t.test('76. is bound to its place', async (t) => {
  const secrets = createSecrets([NEW])
  const sealed = secrets.seal('text', PLACE)
  t.throws(() => secrets.open(sealed, 'provider_configs:credentials:2'))
  t.throws(() => secrets.open(sealed, ''))
})

void t.test('76. any changed or missing byte is noticed', async (t) => {
  const secrets = createSecrets([NEW])
  const sealed = secrets.seal('four', PLACE)
  for (let i = 0; i < sealed.length; i++) {
    const altered = Buffer.from(sealed)
    altered[i] = (altered[i] ?? 0) ^ 1
    t.throws(() => secrets.open(altered, PLACE), `byte ${i}`)
    t.throws(() => secrets.open(sealed.subarray(0, i), PLACE), `cut at ${i}`)
  }
  t.throws(() => secrets.open(Buffer.concat([sealed, Buffer.from('x')]), PLACE), 'one more byte')
})

void t.test('76. rotation: the first key seals, all open', async (t) => {
  const before = createSecrets([OLD])
  const after = createSecrets([NEW, OLD])
  const sealed = before.seal('text', PLACE)
  t.equal(after.open(sealed, PLACE), 'text')
  t.not(after.keyIdOf(sealed), after.currentKeyId, 'it says what is to be sealed anew')
  const anew = after.seal('text', PLACE)
  t.equal(after.keyIdOf(anew), after.currentKeyId)
  t.equal(createSecrets([NEW]).open(anew, PLACE), 'text')
})

void t.test('76. without the key it says so', async (t) => {
  const sealed = createSecrets([OLD]).seal('text', PLACE)
  t.throws(() => createSecrets([NEW]).open(sealed, PLACE), { message: /SECRET_KEY/ })
})

void t.test('a key id does not give the key away', async (t) => {
  const { currentKeyId, signingKeys } = createSecrets([OLD])
  t.match(currentKeyId, /^[0-9a-f]{8}$/)
  t.notOk(OLD.toString('hex').includes(currentKeyId))
  t.notSame(signingKeys[0]?.key, OLD, 'nor is the key itself used to sign')
})

void t.test('derived values depend on key, purpose and input, and are stable', async (t) => {
  const secrets = createSecrets([OLD])
  const value = secrets.derive('refresh', 'token')
  t.match(value, /^[A-Za-z0-9_-]{43}$/)
  t.equal(createSecrets([OLD]).derive('refresh', 'token'), value)
  t.not(createSecrets([NEW]).derive('refresh', 'token'), value)
  t.not(secrets.derive('other', 'token'), value)
  t.not(secrets.derive('refresh', 'token2'), value)
  t.not(secrets.derive('refresh\0t', 'oken'), value)
})

void t.test('there is no service without a key', async (t) => {
  t.throws(() => createSecrets([]))
})
