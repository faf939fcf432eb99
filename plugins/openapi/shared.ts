import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

interface Parameter {
  name: string
  in: string
}

interface Operation {
  parameters?: object[]
  responses?: Record<string, object>
}

interface Described {
  paths?: Record<string, Record<string, Operation>>
  components?: Record<string, object>
}

/** A part of an operation, with its name as a component. */
interface Use {
  name: string
  part: object
  replace: (reference: object) => void
}

/**
 * Moves error responses, 304 and parameters that several operations share into components. Of several with one name, the
 * most frequent keeps it; others add the name of their schema, or stay inline.
 */
export function withSharedParts<T extends object>(document: T): T {
  const { paths = {}, components } = document as Described
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return {
    ...document,
    components: {
      ...components,
      parameters: share('parameters', operations.flatMap(parametersOf)),
      responses: share('responses', operations.flatMap(failuresOf)),
    },
  }
}

const parametersOf = ({ parameters = [] }: Operation): Use[] =>
  parameters.map((part, index) => ({
    name: nameOf(part as Parameter),
    part,
    replace: (reference) => (parameters[index] = reference),
  }))

/** Path and query parameters of the same name differ. */
const nameOf = ({ name, in: place }: Parameter) => (place === 'path' ? 'Path' : '') + inPascalCase(name)

/** Successful responses belong to one operation and are not shared. */
const failuresOf = ({ responses = {} }: Operation): Use[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 300)
    .map(([status, part]) => ({
      name: inPascalCase(STATUS_CODES[status] ?? `Status ${status}`),
      part,
      replace: (reference) => (responses[status] = reference),
    }))

const inPascalCase = (words: string) =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Replaces parts used several times by references; returns the components. */
function share(kind: string, uses: readonly Use[]): Record<string, object> {
  const byName = [...Map.groupBy(uses, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1))
  const shared: Record<string, object> = {}
  for (const [name, all] of byName) {
    for (const [place, same] of byFrequency(all).entries()) {
      const [first] = same
      const own = place === 0 ? name : ownName(name, first?.part)
      if (!first || same.length < 2 || own === null || own in shared) continue
      shared[own] = first.part
      for (const use of same) use.replace({ $ref: `#/components/${kind}/${own}` })
    }
  }
  return shared
}

/** Groups equal parts, the largest group first. */
function byFrequency(uses: readonly Use[]): Use[][] {
  const groups: Use[][] = []
  for (const use of uses) {
    const group = groups.find(([first]) => isDeepStrictEqual(first?.part, use.part))
    if (group) group.push(use)
    else groups.push([use])
  }
  return groups.sort((a, b) => b.length - a.length)
}

/** Appends the name of the content's schema; null without one. */
function ownName(name: string, part: { content?: Record<string, { schema?: { $ref?: string } }> } = {}) {
  const [media] = Object.values(part.content ?? {})
  const schema = media?.schema?.$ref?.split('/').at(-1)
  return schema === undefined ? null : name + schema
}
