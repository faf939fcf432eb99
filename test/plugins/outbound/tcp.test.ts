import { createServer, type AddressInfo, type Socket } from 'node:net'
import t from 'tap'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import { createTcp } from '../../../plugins/outbound/tcp.ts'

/** A server that does this with each connection, and its port. */
async function serve(handle: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    handle(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const echo = await serve((socket) => {
  socket.on('data', (chunk) => socket.end(`heard ${String(chunk)}`))
})
const names: Record<string, string[]> = {
  'echo.test': ['127.0.0.1'],
  'mixed.test': ['192.0.2.1', '127.0.0.1'],
}
const resolve = async (host: string) => (names[host] ?? []).map((address) => ({ address, family: 4 }))
const tcp = createTcp({ allow: ['127.0.0.0/8'], resolve })
const strict = createTcp({ allow: [], resolve })
const failure = (asking: Promise<unknown>): Promise<OutboundError> =>
  asking.then(
    () => t.fail('it answered'),
    (error: unknown) => error,
  ) as Promise<OutboundError>

void t.test('asks and reads to the end', async (t) => {
  t.equal(String(await tcp.ask({ host: '127.0.0.1', port: echo, text: 'a\r\n' })), 'heard a\r\n')
  t.equal(String(await tcp.ask({ host: 'echo.test', port: echo, text: 'b' })), 'heard b')
})

void t.test('75. never reaches what is not public', async (t) => {
  for (const host of [
    '127.0.0.1',
    'echo.test',
    'mixed.test',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '0.0.0.0',
  ]) {
    const error = await failure(strict.ask({ host, port: echo, text: 'x' }))
    t.match(error, { kind: 'blocked', sent: false }, host)
    t.ok(error instanceof OutboundError)
  }
  const named = createTcp({ allow: [`echo.test:${echo}`], resolve })
  t.match(String(await named.ask({ host: 'echo.test', port: echo, text: 'x' })), /heard/)
  t.match(await failure(named.ask({ host: 'echo.test', port: echo + 1, text: 'x' })), { kind: 'blocked' })
})

void t.test('75. knows which peers the operator names with their port', async (t) => {
  const { names: isNamed } = createTcp({ allow: ['a.test:4343', '10.0.0.0/8:44', 'b.test', '10.0.0.0/8'] })
  t.ok(isNamed('A.test.', 4343))
  t.ok(isNamed('10.1.2.3', 44))
  t.notOk(isNamed('a.test', 43))
  t.notOk(isNamed('10.1.2.3', 45), 'a range without a port names none')
  t.notOk(isNamed('b.test', 43))
  t.notOk(isNamed('c.test', 4343))
})

void t.test('75. is bounded', async (t) => {
  const silent = await serve(() => {})
  const slow = await serve((socket) => {
    const timer = setInterval(() => socket.write('.'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const endless = await serve((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(10_000)));
    }
    socket.on('drain', more)
    more()
  })
  for (const port of [silent, slow]) {
    t.match(await failure(tcp.ask({ host: '127.0.0.1', port, text: 'x', timeoutMs: 150 })), {
      kind: 'timeout',
      sent: true,
    })
  }
  t.match(await failure(tcp.ask({ host: '127.0.0.1', port: endless, text: 'x', maxBytes: 50_000 })), {
    kind: 'too_large',
  })
  const giveUp = new AbortController()
  const asking = failure(tcp.ask({ host: '127.0.0.1', port: silent, text: 'x', signal: giveUp.signal }))
  setTimeout(() => giveUp.abort(), 50)
  t.match(await asking, { kind: 'aborted' })
  t.match(
    await failure(tcp.ask({ host: '127.0.0.1', port: silent, text: 'x', signal: AbortSignal.abort() })),
    {
      kind: 'aborted',
      sent: false,
    },
  )
})

/** A server of framed messages: answers each with the parts that `answer` makes of it, cut into small pieces. */
const framing = (answer: (message: string) => Buffer[]) =>
  serve((socket) => {
    let left = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      left = Buffer.concat([left, chunk])
      while (left.length >= 2 && left.length >= 2 + left.readUInt16BE(0)) {
        const end = 2 + left.readUInt16BE(0)
        const bytes = Buffer.concat(answer(String(left.subarray(2, end))))
        left = left.subarray(end)
        for (let at = 0; at < bytes.length; at += 3) socket.write(bytes.subarray(at, at + 3))
      }
    })
  })
const frame = (text: string) =>
  Buffer.concat([Buffer.of(text.length >> 8, text.length & 255), Buffer.from(text)])
async function first(messages: AsyncGenerator<Buffer>, count: number): Promise<string[]> {
  const found: string[] = []
  for await (const message of messages) {
    found.push(String(message))
    if (found.length === count) break
  }
  return found
}

void t.test('messages with their length before them', async (t) => {
  const port = await framing((message) => [frame(`1 ${message}`), frame(''), frame('x'.repeat(1000))])
  const peer = { host: '127.0.0.1', port }
  const messages = [Buffer.from('a'), Buffer.from('b')]
  t.same(await first(tcp.converse({ ...peer, messages }), 6), [
    '1 a',
    '',
    'x'.repeat(1000),
    '1 b',
    '',
    'x'.repeat(1000),
  ])
  t.same(await first(tcp.converse({ ...peer, messages }), 1), ['1 a'], 'as many as are wanted')
  const large = { ...peer, messages, maxBytes: 1500 }
  t.match(await failure(first(tcp.converse(large), 6)), { kind: 'too_large' })
  const never = { ...peer, messages, timeoutMs: 150 }
  t.match(await failure(first(tcp.converse(never), 7)), { kind: 'timeout', sent: true })
  t.match(await failure(first(strict.converse({ ...peer, messages }), 1)), { kind: 'blocked', sent: false })
  const aborted = { ...peer, messages, signal: AbortSignal.abort() }
  t.match(await failure(first(tcp.converse(aborted), 1)), { kind: 'aborted', sent: false })

  const cut = await serve((socket) => void socket.on('data', () => socket.end(frame('long').subarray(0, 4))))
  t.match(await failure(first(tcp.converse({ ...peer, port: cut, messages }), 1)), {
    kind: 'unreachable',
    message: /closed the connection before the answer was complete/,
    sent: true,
  })
})

void t.test('says why there is no answer', async (t) => {
  const broken = await serve((socket) => socket.resetAndDestroy())
  t.match(await failure(tcp.ask({ host: '127.0.0.1', port: broken, text: 'x' })), { kind: 'unreachable' })
  t.match(await failure(tcp.ask({ host: '127.0.0.1', port: 1, text: 'x' })), {
    kind: 'unreachable',
    message: '127.0.0.1:1 refused the connection',
    sent: false,
  })
})

void t.test('ends with the service', async (t) => {
  const own = createTcp({ allow: ['127.0.0.1'] })
  const silent = await serve(() => {})
  const asking = failure(own.ask({ host: '127.0.0.1', port: silent, text: 'x' }))
  setTimeout(() => own.close(), 50)
  t.match(await asking, { kind: 'aborted' })
})
