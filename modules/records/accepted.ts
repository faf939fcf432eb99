import type { FastifyReply } from 'fastify'
import { pathOf, type AcceptedOperation } from '../../schemas/operation.ts'

/** What goes on as an operation is answered as that, with where to look below `base`. */
export function orAccepted<T extends object>(
  reply: FastifyReply,
  base: string,
  done: T | AcceptedOperation,
): T | AcceptedOperation {
  if ('operation' in done) void reply.code(202).header('location', base + pathOf(done.operation))
  return done
}
