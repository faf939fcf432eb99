import { isIPv6 } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Answerer, Door, Place } from './door.ts'
import { openTcp } from './tcp.ts'
import { openUdp } from './udp.ts'

/** Takes DNS messages over UDP and TCP. */
export interface Listener {
  /** Opens these addresses, and returns them as text with their ports. Rejects if one can't be used; then none is open. */
  listen(places: readonly Place[]): Promise<string[]>
  close(): Promise<void>
}

export function createListener(answer: Answerer, log: FastifyBaseLogger): Listener {
  const doors: Door[] = []
  const close = async () => {
    await Promise.all(doors.splice(0).map((door) => door.close()))
  }
  return {
    async listen(places) {
      const opened: string[] = []
      try {
        for (const { host, port } of places) {
          const tcp = await openTcp({ host, port }, answer, log)
          doors.push(tcp, await openUdp({ host, port: tcp.port }, answer, log))
          opened.push(isIPv6(host) ? `[${host}]:${tcp.port}` : `${host}:${tcp.port}`)
        }
        return opened
      } catch (error) {
        await close()
        throw error
      }
    },
    close,
  }
}
