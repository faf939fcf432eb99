import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs `work` every `seconds`, never twice at once; failures go to the log and the next turn comes. */
    every(seconds: number, name: string, work: () => Promise<unknown>): void
  }
}

/** Small upkeep of one instance. It ends with the app: what runs then is waited for. */
export default fp(
  async (app) => {
    const timers: NodeJS.Timeout[] = []
    const running = new Set<Promise<unknown>>()

    app.decorate('every', (seconds, name, work) => {
      let busy = false
      const turn = async () => {
        if (busy) return
        busy = true
        const run = work()
          .catch((error: unknown) => app.log.error({ err: error, work: name }, 'periodic work failed'))
          .finally(() => {
            busy = false
            running.delete(run)
          })
        running.add(run)
        await run
      }
      timers.push(setInterval(() => void turn(), seconds * 1000).unref())
    })

    app.addHook('onClose', async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    })
  },
  { name: 'periodic' },
)
