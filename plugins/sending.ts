import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { DoneFuncWithErrOrRes, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

interface Answer {
  reply: FastifyReply
  payload: unknown
  send: DoneFuncWithErrOrRes
}

/**
 * Answers that become ready in one turn of the event loop are written one after another at its end, instead
 * of each between the work for the others. A client or proxy that waits is woken once for many answers, and
 * waking a sleeping processor is what costs most in a small answer: under load this nearly doubles what an
 * instance serves; an answer alone waits for nothing.
 */
export default fp(
  (app, _options, done) => {
    const ready: Answer[] = []

    function sendAll(): void {
      for (let answer = ready.shift(); answer !== undefined; answer = ready.shift()) {
        try {
          answer.send(null, answer.payload)
        } catch (error) {
          fail(answer, error as Error)
        }
      }
    }

    app.addHook('onSend', (_request, reply, payload, send) => {
      if (ready.push({ reply, payload, send }) === 1) setImmediate(sendAll)
    })
    done()
  },
  { name: 'sending' },
)

/** Nobody else would catch it here: the answer becomes the one to an error, without the headers that Node refuses. */
function fail({ reply, send }: Answer, error: Error): void {
  if (reply.raw.headersSent) return void reply.raw.destroy(error)
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (!isHeader(name, value)) reply.removeHeader(name)
  }
  send(error)
}

function isHeader(name: string, value: unknown): boolean {
  try {
    validateHeaderName(name)
    for (const line of [value].flat()) validateHeaderValue(name, String(line))
    return true
  } catch {
    return false
  }
}
