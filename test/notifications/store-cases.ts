import t, { type Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { MAX_KEPT, type Message, type NotificationStore } from '../../modules/notifications/store/contract.ts'

export const aMessage = (id = uuidv7(), domainName = 'example.com'): Message => ({
  id,
  event: 'domain.created',
  title: `${domainName} was registered here`,
  content: `The domain ${domainName} is now managed here.`,
  level: 'success',
  createdAt: '2026-11-21T12:00:00.000Z',
  metadata: { domainName },
})

/** What every store of notifications must do; the users are new ones each time. */
export function storeCases(name: string, store: NotificationStore): void {
  const idsOf = async (userId: string) => (await store.list(userId)).map(({ message }) => message.id)
  const it = (what: string, test: (t: Test) => Promise<void>) => void t.test(`${name}: ${what}`, test)

  it('keeps the messages of each user, in order', async (t) => {
    const [ada, bob] = [uuidv7(), uuidv7()]
    const messages = [aMessage(), aMessage(), aMessage()]
    t.same(await store.list(ada), [], 'none at first')
    for (const message of messages) t.same(await store.add([ada], message, false), [ada])
    const [second] = messages.slice(1)
    t.same(await store.add([bob], second as Message, true), [bob])
    const entries = await store.list(ada)
    t.same(
      entries.map(({ message, read }) => ({ message, read })),
      messages.map((message) => ({ message, read: false })),
    )
    const positions = entries.map(({ position }) => position)
    t.same(
      positions,
      [...new Set(positions)].sort((a, b) => a - b),
      'each comes after the one before',
    )
    t.match(await store.list(bob), [{ message: second, read: true }])
  })

  it('adds a message once, however often it is told', async (t) => {
    const [ada, bob, eve] = [uuidv7(), uuidv7(), uuidv7()]
    const message = aMessage()
    t.same(await store.add([ada, bob], message, false), [ada, bob])
    t.ok(await store.markRead(ada, message.id))
    t.same(await store.add([bob, eve, ada], message, false), [eve])
    const other = aMessage(message.id, 'other.example')
    t.same(await store.add([ada], other, false), [], 'nor with other words')
    t.match(await store.list(ada), [{ message, read: true }], 'and it stays what it was')
    t.equal((await store.list(bob)).length, 1)
  })

  it('may say different things of one event to different users', async (t) => {
    const [ada, bob] = [uuidv7(), uuidv7()]
    const id = uuidv7()
    await store.add([ada], aMessage(id, 'whole.example'), false)
    await store.add([bob], aMessage(id, 'part.example'), false)
    t.match(await store.list(ada), [{ message: { id, metadata: { domainName: 'whole.example' } } }])
    t.match(await store.list(bob), [{ message: { id, metadata: { domainName: 'part.example' } } }])
  })

  it(`keeps the newest ${MAX_KEPT}`, async (t) => {
    const ada = uuidv7()
    const ids = Array.from({ length: MAX_KEPT + 30 }, () => uuidv7())
    for (const id of ids) await store.add([ada], aMessage(id), false)
    t.same(await idsOf(ada), ids.slice(-MAX_KEPT))
    t.notOk(await store.markRead(ada, ids[0] as string), 'the oldest are gone')
  })

  it('takes many users at once', async (t) => {
    const users = Array.from({ length: 1_203 }, () => uuidv7())
    const message = aMessage()
    t.same(await store.add(users, message, false), users)
    t.same(await store.add(users, message, false), [])
    t.same(await idsOf(users.at(-1) as string), [message.id])
  })

  it('marks read', async (t) => {
    const [ada, bob] = [uuidv7(), uuidv7()]
    const messages = [aMessage(), aMessage(), aMessage()]
    for (const message of messages) await store.add([ada, bob], message, false)
    const marks = async (userId: string) => (await store.list(userId)).map(({ read }) => read)
    t.ok(await store.markRead(ada, messages[1]?.id as string))
    t.ok(await store.markRead(ada, messages[1]?.id as string), 'twice')
    t.same(await marks(ada), [false, true, false])
    t.same(await marks(bob), [false, false, false], 'for the one user')
    t.notOk(await store.markRead(ada, uuidv7()))
    await store.markAllRead(ada)
    t.same(await marks(ada), [true, true, true])
    t.same(await marks(bob), [false, false, false])
    await store.markAllRead(uuidv7())
  })

  it('deletes', async (t) => {
    const [ada, bob] = [uuidv7(), uuidv7()]
    const messages = [aMessage(), aMessage(), aMessage()]
    for (const message of messages) await store.add([ada, bob], message, false)
    const [first, second, third] = messages.map(({ id }) => id) as [string, string, string]
    t.ok(await store.remove(ada, second))
    t.notOk(await store.remove(ada, second), 'once')
    t.same(await idsOf(ada), [first, third])
    t.same(await idsOf(bob), [first, second, third])
    await store.clear(ada)
    t.same(await idsOf(ada), [])
    t.same(await idsOf(bob), [first, second, third])
    t.notOk(await store.remove(ada, first))
    const next = aMessage()
    await store.add([ada], next, false)
    t.same(await idsOf(ada), [next.id], 'and goes on')
  })

  it('parallel calls lose nothing', async (t) => {
    const ada = uuidv7()
    const messages = Array.from({ length: 50 }, () => aMessage())
    const added = await Promise.all(
      messages.flatMap((m) => [store.add([ada], m, false), store.add([ada], m, false)]),
    )
    t.equal(added.flat().length, 50)
    t.same(new Set(await idsOf(ada)), new Set(messages.map(({ id }) => id)))
    const positions = (await store.list(ada)).map(({ position }) => position)
    t.equal(new Set(positions).size, 50)
  })
}
