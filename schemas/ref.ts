import { Type, type Static, type TSchema } from '@sinclair/typebox'

/** A reference to a schema that has an `$id`, so that it is one named component in the API description. */
export const ref = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` })
