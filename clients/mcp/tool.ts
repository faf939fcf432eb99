import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON as Schema,
  ToolAnnotations,
  ToolCallback,
} from '@modelcontextprotocol/server'
import type { Zonekeeper } from '../typescript/index.ts'
import { explain, Refusal } from './errors.ts'
import { textOf } from './words.ts'

interface Tool<Input extends Schema, Output extends Schema> {
  name: string
  title: string
  /** For the assistant: what it does, what to do before and after. */
  description: string
  annotations: ToolAnnotations
  input: Input
  output: Output
  /** Calls the Open API. What it rejects with becomes a result that is an error. */
  run: (client: Zonekeeper, input: Schema.InferOutput<Input>) => Promise<Answer<Output>>
}

interface Answer<Output extends Schema> {
  /** For people and for assistants that read text alone. */
  lines: string[]
  /** The same as data. */
  content: Schema.InferInput<Output>
}

/** Characters of an answer as data. */
const MAX_CONTENT = 200_000

/** Adds a tool to a server, with the client that it calls. */
export type AddTool = (server: McpServer, client: Zonekeeper) => void

/** Changes nothing, and asks nobody outside. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** A tool, defined once for all transports. */
export const tool =
  <Input extends Schema, Output extends Schema>(defined: Tool<Input, Output>): AddTool =>
  (server, client) => {
    const { name, title, description, annotations, input, output, run } = defined
    const call = async (given: Schema.InferOutput<Input>): Promise<CallToolResult> => {
      try {
        const { lines, content } = await run(client, given)
        if (JSON.stringify(content).length > MAX_CONTENT)
          throw new Refusal('This is too much: ask for less at a time')
        return { content: [{ type: 'text', text: textOf(lines) }], structuredContent: content }
      } catch (error) {
        return { content: [{ type: 'text', text: textOf(explain(error)) }], isError: true }
      }
    }
    const config = { title, description, annotations, inputSchema: input, outputSchema: output }
    server.registerTool<Output, Input>(name, config, call as ToolCallback<Input>)
  }
