import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { LIVE_ANNOUNCER, withoutInnerHtml } from '../../web/live-announcer-patch.ts'

void t.test('the live announcer of react-aria still needs its patch', async (t) => {
  const patched = withoutInnerHtml(readFileSync(`node_modules/${LIVE_ANNOUNCER}`, 'utf8'))
  t.notMatch(patched, 'innerHTML')
  t.throws(() => withoutInnerHtml(patched), 'a version without innerHTML needs no patch')
})

void t.test('no other module of the component libraries uses innerHTML', async (t) => {
  const modules = globSync('node_modules/{react-aria,react-stately,react-aria-components}/dist/**/*.mjs')
  const users = modules.filter((file) => readFileSync(file, 'utf8').includes('innerHTML'))
  t.same(
    users.map((file) => file.replaceAll('\\', '/')),
    [`node_modules/${LIVE_ANNOUNCER}`],
  )
})
