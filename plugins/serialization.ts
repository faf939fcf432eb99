import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type SerializerFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

const build = SerializerSelector()

/**
 * Serialisers of answers, one for each schema and not, as by default, one for each status of each route: the
 * errors of all routes look alike. Each is made when it is first needed: all of them take a good part of
 * the start.
 */
export const buildSerializer: SerializerFactory = (...given) => {
  const compile = build(...given)
  const made = new Map<string, ReturnType<typeof compile>>()
  return (route) => {
    const key = JSON.stringify(route.schema)
    return (answer) => {
      let serialize = made.get(key)
      if (!serialize) made.set(key, (serialize = compile(route)))
      return serialize(answer)
    }
  }
}
