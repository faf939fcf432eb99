import fp from 'fastify-plugin'
import type { Kysely, Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../db/tables/index.ts'
import type { EventName, Events } from '../../schemas/events/events.ts'
import { listen } from './listener.ts'
import { MAX_MESSAGE_BYTES, publish } from './queries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    events: EventBus
  }
}

type EventListener<N extends EventName> = (payload: Events[N]) => unknown

export type Tell = <N extends EventName>(name: N, payload: Events[N]) => void

/** What the parts of the service, on all instances, tell each other. What people are told is in plugins/events/outbox. */
export interface EventBus {
  /**
   * Works in a transaction, and tells with its commit, so that nothing that was done stays untold: not when this
   * process dies then, nor when it is too busy. All listeners of all instances hear it; those here that don't wait for
   * anything have run when it resolves.
   */
  transaction<T>(
    db: Kysely<Database>,
    work: (trx: Transaction<Database>, tell: Tell) => Promise<T>,
  ): Promise<T>
  /**
   * Tells every listener of every instance what nothing depends on. Listeners here that don't wait for anything have
   * run when it returns; the others are waited for when the app closes.
   */
  emit: Tell
  on<N extends EventName>(name: N, listener: EventListener<N>): void
  /** Whether all that is emitted, wherever, arrives here. */
  readonly connected: boolean
}

interface EventsOptions {
  /** A session of its own, not yet connected, that goes through no pooler of transactions. */
  createClient: () => pg.Client
}

/** What goes over the wire; without `from`: said by the database when a transaction was committed. */
interface Message {
  from?: string
  name: EventName
  payload: never
}

/** The typed event bus, in this process and by LISTEN and NOTIFY of the database to all others. */
export default fp<EventsOptions>(
  async (app, { createClient }) => {
    const origin = crypto.randomUUID()
    const listeners = new Map<EventName, EventListener<never>[]>()
    const underWay = new Set<Promise<unknown>>()

    function track(work: Promise<unknown>, event: EventName): void {
      const done = work
        .catch((error: unknown) => app.log.error({ err: error, event }, 'event listener failed'))
        .finally(() => underWay.delete(done))
      underWay.add(done)
    }

    /** One bad listener must not keep the others, or who emits, from going on. */
    function dispatch<N extends EventName>(name: N, payload: Events[N]): void {
      for (const listener of listeners.get(name) ?? []) {
        try {
          const result = (listener as EventListener<N>)(payload)
          if (result instanceof Promise) track(result, name)
        } catch (error) {
          app.log.error({ err: error, event: name }, 'event listener failed')
        }
      }
    }

    const listener = await listen({
      open: createClient,
      heard: (message) => {
        const { from, name, payload } = JSON.parse(message) as Message
        if (from !== origin) dispatch(name, payload)
      },
      missed: () => dispatch('events.missed', {}),
      log: app.log,
    })

    function messageOf<N extends EventName>(name: N, payload: Events[N]): string {
      const message = JSON.stringify({ from: origin, name, payload })
      if (Buffer.byteLength(message) <= MAX_MESSAGE_BYTES) return message
      // Whoever hears that something was missed forgets all that is remembered, this too.
      return JSON.stringify({ from: origin, name: 'events.missed', payload: {} })
    }

    app.decorate('events', {
      async transaction(db, work) {
        const messages: string[] = []
        const toTellHere: (() => void)[] = []
        const result = await db.transaction().execute(async (trx) => {
          const done = await work(trx, (name, payload) => {
            messages.push(messageOf(name, payload))
            toTellHere.push(() => dispatch(name, payload))
          })
          if (messages.length > 0) await publish(trx, ...messages)
          return done
        })
        for (const tellHere of toTellHere) tellHere()
        return result
      },
      emit(name, payload) {
        dispatch(name, payload)
        track(publish(app.db, messageOf(name, payload)), name)
      },
      on(name, added) {
        listeners.set(name, [...(listeners.get(name) ?? []), added])
      },
      get connected() {
        return listener.connected
      },
    } satisfies EventBus)

    app.addHook('onClose', async () => {
      while (underWay.size > 0) await Promise.all(underWay)
      listeners.clear()
      await listener.close()
    })
  },
  { name: 'events', dependencies: ['db'] },
)
