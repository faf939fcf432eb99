import { domainToASCII } from 'node:url'
import t from 'tap'
import { readable } from '../../web/ui/visible.ts'

void t.test('names are shown in Unicode', async (t) => {
  for (const name of [
    'bücher-am-hafen.example',
    '海港书店.example',
    'www.例え.テスト',
    'ελληνικά.example',
    'правда.рф',
    'ü.example',
    'faß.example',
    'example.com',
  ])
    t.equal(readable(domainToASCII(name)), name)
  t.equal(readable('xn--bcher-kva.example expires in 19 days'), 'bücher.example expires in 19 days')
  t.equal(readable('XN--BCHER-KVA.example'), 'bücher.example')
  for (const wrong of [
    'xn--',
    'xn---',
    'xn--a',
    'xn--99999999',
    'xn--www-.example',
    'xn--zzzzzzzzzzzz',
    'xn--a-ecp.ru',
  ])
    t.equal(readable(wrong), wrong, 'what stands for nothing stays')
})

void t.test('also in browsers without URL.parse, such as Safari 17', async (t) => {
  const { parse } = URL
  t.teardown(() => (URL.parse = parse))
  URL.parse = undefined as unknown as typeof parse
  t.equal(readable('xn--bcher-kva.example'), 'bücher.example')
  t.equal(readable('xn--a-ecp.ru'), 'xn--a-ecp.ru')
})
