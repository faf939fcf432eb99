import t from 'tap'
import { startCli } from './program.ts'

/* Keys for DNS updates. */
const { zk } = await startCli(t)

void t.test('keys are made as key files, listed without secrets, and deleted', async (t) => {
  const { exit, out } = await zk('keys create')
  const [, name = ''] =
    /^key "([a-z0-9.-]+)" \{\n {2}algorithm hmac-sha256;\n {2}secret "[\w+/]{43}=";\n\};\n$/.exec(out) ?? []
  t.match([exit, name], [0, /./])
  t.match(JSON.parse((await zk('keys create --algorithm hmac-sha512 --json')).out), {
    algorithm: 'hmac-sha512',
  })
  t.match(await zk('keys create --algorithm hmac-md5'), { exit: 2 })
  t.match(await zk('keys'), { exit: 0, out: new RegExp(`${name} +hmac-sha256 +never`) })
  const keys = JSON.parse((await zk('keys list --json')).out) as { id: string; name: string }[]
  const first = keys.find((key) => key.name === name)
  t.match(await zk(`keys delete ${first?.id}`), { exit: 0 })
  t.match(await zk(`keys delete ${first?.id}`), { exit: 3 })
  t.notMatch((await zk('keys')).out, name)
})
