import type { TSchema } from '@sinclair/typebox'

const COMPONENTS = '#/components/schemas/'

/**
 * Names a schema: the API description shows it as one component. Validators and serializers still see it inline, because
 * a reference would make each of them read all shared schemas. `example` is the component's, where its uses have others.
 */
export const named = (name: string, example?: object) => ({
  'x-name': name,
  ...(example && { 'x-example': example }),
})

const SHOWN = Symbol('shown')

/**
 * Pairs a flat schema, which gives clear messages and fast serializers, with the union shown in its place in the API
 * description.
 */
export const shownAs = <T extends TSchema>(shown: TSchema, schema: T): T => ({ ...schema, [SHOWN]: shown })

/** Returns what the description shows in place of a schema; undefined for the schema itself. */
export const shownOf = (schema: object): object | undefined => (schema as { [SHOWN]?: object })[SHOWN]

/** Union of named objects, told apart by the literal in `member`. */
export const unionBy = (member: string, branches: TSchema[]) =>
  ({
    oneOf: branches,
    discriminator: {
      propertyName: member,
      mapping: Object.fromEntries(
        branches.map((branch) => {
          const { const: value } = (branch['properties'] as Record<string, { const: string }>)[member] ?? {}
          return [value, `${COMPONENTS}${String(branch['x-name'])}`]
        }),
      ),
    },
  }) as unknown as TSchema
