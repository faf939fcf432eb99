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
  /** Tells the assistant what the tool does, and what to do before and after. */
  description: string
  annotations: ToolAnnotations
  input: Input
  output: Output
  /** Calls the Open API. A rejection becomes an error result. */
  run: (client: Zonekeeper, input: Schema.InferOutput<Input>) => Promise<ToolResult<Output>>
}

interface ToolResult<Output extends Schema> {
  /** The result as text. */
  lines: string[]
  /** The result as data. */
  content: Schema.InferInput<Output>
}

/** Maximum characters of a result as data. */
const MAX_CONTENT = 200_000

/** Registers a tool at a server, with the client it calls. */
export type AddTool = (server: McpServer, client: Zonekeeper) => void

/** A tool that changes nothing and calls nobody outside. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Defines a tool once for all transports. */
export const tool =
  <Input extends Schema, Output extends Schema>(defined: Tool<Input, Output>): AddTool =>
  (server, client) => {
    const { name, title, description, annotations, input, output, run } = defined
    const call = async (given: Schema.InferOutput<Input>): Promise<CallToolResult> => {
      try {
        const { lines, content } = await run(client, given)
        if (JSON.stringify(content).length > MAX_CONTENT)
          throw new Refusal('The result is too large; ask for less at a time')
        return { content: [{ type: 'text', text: textOf(lines) }], structuredContent: content }
      } catch (error) {
        return { content: [{ type: 'text', text: textOf(explain(error)) }], isError: true }
      }
    }
    const config = { title, description, annotations, inputSchema: input, outputSchema: output }
    server.registerTool<Output, Input>(name, config, call as ToolCallback<Input>)
  }
