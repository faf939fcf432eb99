import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type SerializerFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

const build = SerializerSelector()

/**
 * Serialisers of answers, one for each schema and not, as by default, one for each status of each route: the
 * errors of all routes look alike, and making six hundred of these takes a good part of the start.
 */
export const buildSerializer: SerializerFactory = (...given) => {
  const compile = build(...given)
  const made = new Map<string, ReturnType<typeof compile>>()
  return (route) => {
    const key = JSON.stringify(route.schema)
    const serialize = made.get(key) ?? compile(route)
    made.set(key, serialize)
    return serialize
  }
}
