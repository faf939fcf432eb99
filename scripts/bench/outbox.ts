import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { sealConfig } from '../../modules/channels/config.ts'
import { createSecrets } from '../../plugins/security/secrets.ts'
import { startPostgres, withClient } from './postgres.ts'
import { startService } from './processes.ts'
import { median, ms, ratio, verdict, type Result } from './report.ts'
import { SECRET_KEY, seedUsers } from './seed.ts'

const LIVING = 4
const EACH = 2_000
const RUNS = 3

/**
 * Messages queued for several channels, including one that never answers: measures whether the others are delayed.
 */
export async function outbox(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  try {
    const times: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
    for (let run = 0; run < RUNS; run++) {
      times.alone.push(await measure(await postgres.createDatabase(`alone${run}`), false))
      times.beside.push(await measure(await postgres.createDatabase(`beside${run}`), true))
    }
    const [alone, beside] = [median(times.alone), median(times.beside)]
    const row = (what: string, time: number, waiting: number) => ({
      channels: what,
      messages: waiting,
      'delivered after': ms(time),
      'messages per second': Math.round((LIVING * EACH * 1000) / time),
      ratio: ratio(time / alone),
      holds: verdict(time / alone <= 1.1),
    })
    return {
      title: 'Delivering queued messages with one of five channels unresponsive.',
      target: 'a receiver that never answers delays others by at most 10 %',
      rows: [
        row(`${LIVING} channels`, alone, LIVING * EACH),
        row(`${LIVING} channels and an unresponsive one`, beside, (LIVING + 1) * EACH),
      ],
      notes: [
        `Median of ${RUNS} runs each, in turns; from the first message that arrives to the last. Each message is a ` +
          'signed call by HTTP and a durable commit; those of one channel go one after another.',
      ],
    }
  } finally {
    await postgres.close()
  }
}

/** Milliseconds from the first to the last message of the responsive channels. */
async function measure(database: pg.ClientConfig, withDead: boolean): Promise<number> {
  let [left, first] = [LIVING * EACH, 0]
  const done = Promise.withResolvers<number>()
  const living = await listen((request, response) => {
    first ||= performance.now()
    request.resume().on('end', () => {
      response.writeHead(204).end()
      if (--left === 0) done.resolve(performance.now() - first)
    })
  })
  const dead = await listen((request) => request.resume())
  await seedUsers(database)
  await seedOutbox(database, [
    ...Array.from({ length: LIVING }, () => living.url),
    ...(withDead ? [dead.url] : []),
  ])
  const service = await startService(database, { jobs: true })
  try {
    return await done.promise
  } finally {
    await service.close()
    living.close()
    dead.close()
  }
}

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A channel for each address, with queued messages. */
async function seedOutbox(database: pg.ClientConfig, urls: string[]): Promise<void> {
  const secrets = createSecrets([SECRET_KEY])
  await withClient(database, async (client) => {
    for (const url of urls) {
      const id = crypto.randomUUID()
      const config = sealConfig(secrets, id, { url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
      await client.query(
        `insert into channel_configs (id, channel, name, config, events, enabled)
         values ($1, 'webhook', 'bench', $2, '{*}', true)`,
        [id, config],
      )
      await client.query(
        `insert into deliveries (id, channel_id, event_id, event, message, status, created_at)
         select gen_random_uuid(), $1, event_id, 'domain.created', jsonb_build_object(
             'event', 'domain.created', 'id', event_id, 'title', 'example.com was added',
             'content', 'The domain example.com is now managed by Zonekeeper.', 'level', 'success',
             'metadata', jsonb_build_object('domainId', event_id, 'domainName', 'example.com'), 'createdAt', now()),
           'pending', now() + i * interval '1 microsecond'
         from (select i, gen_random_uuid() as event_id from generate_series(1, $2::int) as i) as events`,
        [id, EACH],
      )
    }
    await client.query('analyze deliveries, channel_configs')
  })
}
