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
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

/** All operations of a document, each with its name for people: `GET /api/domains`. */
export const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  )
