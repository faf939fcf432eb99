import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import { shareCompilers } from './shared-compilers.ts'

type SerializerFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

const build = SerializerSelector()

/**
 * Serialisers of answers, one for each schema: the errors of all routes look alike. Unless all are wanted
 * `atStart`, each is compiled when it is first needed: all together take 20 MB.
 */
export const serializers = (atStart: boolean): SerializerFactory =>
  shareCompilers((...given: Parameters<typeof build>) => {
    const compile = build(...given)
    const compiled = new Map<string, ReturnType<typeof compile>>()
    return (route) => {
      const key = JSON.stringify(route.schema)
      const get = () => {
        const serialize = compiled.get(key) ?? compile(route)
        compiled.set(key, serialize)
        return serialize
      }
      return atStart ? get() : (answer) => get()(answer)
    }
  }) as SerializerFactory
