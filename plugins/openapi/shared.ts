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

/** A part that operations have: what it would be called as a component, and where it stands. */
interface Use {
  name: string
  part: object
  replace: (reference: object) => void
}

/**
 * A document in which failures, answers without change and parameters that several operations have alike are components,
 * to which those operations refer. Of several of one name the most frequent has it; another has that of its schema
 * beside it, or stays where it is.
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

/** What of a name in a path is not a parameter of the same name in a query. */
const nameOf = ({ name, in: place }: Parameter) => (place === 'path' ? 'Path' : '') + inPascalCase(name)

/** Answers that succeed are an operation's own. */
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

/** Replaces what is used several times by references; answers the components. */
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

/** Those that are the same together, the most first. */
function byFrequency(uses: readonly Use[]): Use[][] {
  const groups: Use[][] = []
  for (const use of uses) {
    const group = groups.find(([first]) => isDeepStrictEqual(first?.part, use.part))
    if (group) group.push(use)
    else groups.push([use])
  }
  return groups.sort((a, b) => b.length - a.length)
}

/** With the name of the schema of its content; null without one. */
function ownName(name: string, part: { content?: Record<string, { schema?: { $ref?: string } }> } = {}) {
  const [media] = Object.values(part.content ?? {})
  const schema = media?.schema?.$ref?.split('/').at(-1)
  return schema === undefined ? null : name + schema
}
