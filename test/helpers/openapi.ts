export interface Media {
  schema?: Record<string, unknown>
  example?: unknown
}

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { description?: string; content?: Record<string, Media>; headers?: object }>
}

export interface RequestSchema {
  properties?: Record<string, RequestSchema>
  required?: string[]
  items?: RequestSchema
  default?: unknown
}

export interface OpenApiDocument {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    securitySchemes: Record<string, object>
    parameters: Record<string, NonNullable<Operation['parameters']>[number]>
    responses: Record<string, Operation['responses'][string]>
  }
}

/** The document with what its operations refer to, parameters and answers, in its place. */
export const withoutShared = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  paths: mapped(document.paths, (methods) =>
    mapped(methods, (operation) => whole(operation, document.components)),
  ),
})

const mapped = <A, B>(object: Record<string, A>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

function whole(operation: Operation, { parameters, responses }: OpenApiDocument['components']): Operation {
  const meant = <P extends object>(part: P, shared: Record<string, P>): P =>
    '$ref' in part ? (shared[String(part.$ref).split('/').at(-1) ?? ''] as P) : part
  return {
    ...operation,
    ...(operation.parameters && { parameters: operation.parameters.map((one) => meant(one, parameters)) }),
    responses: mapped(operation.responses, (answer) => meant(answer, responses)),
  }
}

/** All operations of a document, each with its name for people: `GET /api/domains`. */
export const operationsOf = (document: OpenApiDocument) =>
  Object.entries(withoutShared(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  )
