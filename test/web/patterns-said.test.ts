import t from 'tap'
import { sayPattern } from '../../web/views/templates/said-pattern.ts'

void t.test('patterns of variables in words, where words suffice', async (t) => {
  t.same(sayPattern('none|quarantine|reject'), { kind: 'words', words: ['none', 'quarantine', 'reject'] })
  t.same(sayPattern('[0-9.]+'), { kind: 'characters', letters: false, digits: true, marks: ['.'] })
  t.same(sayPattern('[A-Za-z0-9._-]+'), {
    kind: 'characters',
    letters: true,
    digits: true,
    marks: ['.', '_', '-'],
  })
  for (const pattern of [
    '.+',
    '[a-f0-9]+',
    '[0-9]{4}',
    '[^.]+',
    '[a-z]*',
    'a|[bc]',
    '[\\d.]+',
    '[abc]+',
    '[!-~]+',
  ])
    t.equal(sayPattern(pattern), null, pattern)
})
