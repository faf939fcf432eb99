import { randomUUID } from 'node:crypto'
import { Refused } from './answers.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'
import { isElements, parseXml, xml, type XmlElements } from './xml.ts'

const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/'

/** An answer; `root`: the name of its outermost element. */
export const xmlAnswer = (
  status: number,
  root: string,
  content: XmlElements,
  headers: Record<string, string> = {},
): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'text/xml', ...headers },
  body: `<?xml version="1.0"?>\n${xml(root, content, ` xmlns="${NAMESPACE}"`)}`,
})

export const refusal = (status: number, code: string, message: string): Refused => {
  const type = status < 500 ? 'Sender' : 'Receiver'
  return new Refused(
    xmlAnswer(status, 'ErrorResponse', {
      Error: { Type: type, Code: code, Message: message },
      RequestId: randomUUID(),
    }),
  )
}

export const invalidInput = (message: string) => refusal(400, 'InvalidInput', message)

/** A batch is refused in either of two forms: several reasons are told one by one here, where the other has one text. */
export const invalidBatch = (messages: string[]): Refused =>
  messages.length === 1
    ? refusal(400, 'InvalidChangeBatch', `[${messages.join()}]`)
    : new Refused(
        xmlAnswer(400, 'InvalidChangeBatch', { Messages: { Message: messages }, RequestId: randomUUID() }),
      )

export const throttled = () => refusal(400, 'Throttling', 'Rate exceeded')
export const accessDenied = (action: string) =>
  refusal(
    403,
    'AccessDenied',
    `User: arn:aws:iam::111122223333:user/reader is not authorized to perform: route53:${action}`,
  )
export const invalidToken = () =>
  refusal(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.')
export const internalFailure = () =>
  refusal(500, 'InternalFailure', 'We encountered an internal error. Please try again.')

/** The body, which must be a document with this outermost element, of Route 53's namespace. Throws Refused. */
export function bodyOf({ body }: SimulatorRequest, root: string): XmlElements {
  const document = parseXml(body)
  if (document === null) throw refusal(400, 'MalformedInput', 'The request is not well-formed XML')
  const element = document[root]
  if (!isElements(element) || element['@_xmlns'] !== NAMESPACE)
    throw invalidInput(`Invalid XML ; cvc-elt.1: Cannot find the declaration of element '${root}'.`)
  return element
}

/** What `maxitems` takes of the list, 100 when nothing is said, what comes next, and how the answer ends. */
export function cut<T>(all: T[], query: URLSearchParams, most: number) {
  const asked = Number(query.get('maxitems') ?? 100)
  if (!Number.isInteger(asked) || asked < 1) throw invalidInput('maxitems must be a positive number')
  const size = Math.min(asked, most)
  const next = all[size]
  const end = (following: XmlElements | undefined): XmlElements => ({
    IsTruncated: String(next !== undefined),
    ...following,
    MaxItems: String(size),
  })
  return { items: all.slice(0, size), next, end }
}
