import type { TSchema } from '@sinclair/typebox'

const COMPONENTS = '#/components/schemas/'

/**
 * Option of a schema that names it: wherever it stands, the API description refers to one component. Validators and
 * serialisers go on seeing it inline: a reference would cost each of them the reading of all shared schemas. `example`: of
 * the component, where the examples of its places are others.
 */
export const named = (name: string, example?: object) => ({
  'x-name': name,
  ...(example && { 'x-example': example }),
})

const SHOWN = Symbol('shown')

/**
 * A flat schema, by which requests are judged with clear messages and answers written fast, and the union that
 * the API description shows in its place.
 */
export const shownAs = <T extends TSchema>(shown: TSchema, schema: T): T => ({ ...schema, [SHOWN]: shown })

/** What the description shows in place of a schema; undefined: the schema itself. */
export const shownOf = (schema: object): object | undefined => (schema as { [SHOWN]?: object })[SHOWN]

/** The union of named objects that differ in the literal of one `member`. */
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
