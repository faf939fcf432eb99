import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import { shareCompilers } from './shared-compilers.ts'

type SerializerFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

const build = SerializerSelector()

/**
 * Serializers of responses, one per schema, since routes share error schemas. Compiled on first use unless `atStart`,
 * because all of them together take 20 MB.
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
