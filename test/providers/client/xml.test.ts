import { Type } from '@sinclair/typebox'
import t from 'tap'
import { parseXml, writeXml } from '../../../modules/providers/client/xml.ts'
import { failure, start } from './setup.ts'

/* XML of a provider, there and back. */

const xml = (status: number, body: string) => ({ status, headers: { 'content-type': 'text/xml' }, body })

void t.test('elements, texts to the letter, lists of one and of none, attributes', async (t) => {
  const text = `<?xml version="1.0"?>
    <Answer xmlns="https://example.test/"><Id> 007 &quot;&amp;&lt;&#252;&#x21; </Id>
    <Records><Record>1</Record></Records><None/><Host Name="a&amp;b"/></Answer>`
  t.same(parseXml(text, ['Record']), {
    Answer: {
      '@xmlns': 'https://example.test/',
      Id: ' 007 "&<ü! ',
      Records: { Record: ['1'] },
      None: '',
      Host: { '@Name': 'a&b' },
    },
  })
  for (const no of ['', '{"a": 1}', '<a><b></a>', '<a>', 'text']) t.equal(parseXml(no), undefined, no)
  const deep = '<a>'.repeat(10_000) + '</a>'.repeat(10_000)
  const growing = `<!DOCTYPE a [<!ENTITY e "${'x'.repeat(9_000)}">]><a>${'&e;'.repeat(1_000)}</a>`
  for (const no of [deep, growing, '<__proto__><a>1</a></__proto__>']) t.equal(parseXml(no), undefined)
})

void t.test('what is written is read', async (t) => {
  const value = { Name: 'a<b>&"c"', Missing: undefined, Values: { Value: ['1', ' 2 '] }, Empty: '' }
  const text = writeXml('Request', value, 'https://example.test/')
  t.equal(
    text,
    '<Request xmlns="https://example.test/"><Name>a&lt;b&gt;&amp;&quot;c&quot;</Name><Values><Value>1</Value><Value> 2 </Value></Values><Empty></Empty></Request>',
  )
  const { Missing: _, ...rest } = value
  t.match(parseXml(text, ['Value']), { Request: rest })
})

void t.test('a call for XML takes nothing else', async (t) => {
  const schema = Type.Object({ Answer: Type.Object({ Id: Type.Array(Type.String()) }) })
  const { client, server } = await start(
    t,
    [
      xml(200, '<Answer><Id>1</Id></Answer>'),
      xml(200, '<html><body>Sign in</body></html>'),
      xml(400, '<Error>No</Error>'),
    ],
    {
      xmlLists: ['Id'],
      explain: ({ status, body }) =>
        status === 400 ? { reason: (body as { Error: string }).Error } : undefined,
    },
    { maxTries: 1 },
  )
  const call = () => client.read('/', { as: 'xml', schema })
  t.same((await call()).body, { Answer: { Id: ['1'] } })
  t.match(server.requests[0]?.headers, { accept: /xml/ })
  t.match(await failure(call()), { kind: 'unavailable', outcome: 'not_applied' })
  t.match(await failure(call()), { kind: 'rejected', message: /refuses this: No/ })
})
